-- What kept search results weigh, so that a tenant's can be bounded, and so that a page is known before it is read.

alter table search_task add column kept_bytes bigint not null default 0;
-- Text of the rows before it is compressed.
alter table search_task_chunk add column text_bytes integer not null default 0;
create index search_task_kept on search_task (cluster_id, user_id, started_ms) where kept_bytes > 0;

-- Expired results go whether or not their tenant searches again: one statement over all tenants, which the program asks
-- for by name. Transactions of tenants run as another role and never see this policy.
create policy expired_results on search_task to current_user
  using (current_setting('tyrian.sweep', true) = 'search_task');
