-- What has happened in tenants, written in the transaction of the act, for whoever follows up on it: notifications, live
-- updates of the console, and later mails, automation, entity risk. Every consumer keeps its own position.

create table domain_event (
  -- Stands before event_id, so that whoever has a number has a transaction id already: see event_consumer.
  transaction_id xid8   not null default pg_current_xact_id(),
  event_id       bigint generated always as identity primary key,
  cluster_id     text   not null,
  scope_id       text   not null,
  -- For example `signal.raised`, `case.assigned`.
  kind           text   not null,
  -- The signal, case, rule or source that it happened to.
  object_id      text   not null,
  -- Whoever did it; null for the product itself.
  actor_id       text,
  actor_name     text,
  details        jsonb  not null default '{}',
  created_ms     bigint not null
);
select tyrian_secure('domain_event');
-- What is new in a scope since a console last asked.
create index domain_event_scope on domain_event (cluster_id, scope_id, transaction_id);
create index domain_event_age on domain_event (created_ms);

-- Consumers read the events of all tenants in one statement, which the program asks for by name. Transactions of tenants
-- run as another role and never see this policy.
create policy all_events on domain_event to current_user
  using (current_setting('tyrian.sweep', true) = 'domain_event')
  with check (current_setting('tyrian.sweep', true) = 'domain_event');

-- Numbers are given when an event is written and become visible when its transaction ends, in whatever order. A consumer
-- may go up to a number only when no transaction is open that may still bring a smaller one: it marks the highest number
-- given so far with the id of its own transaction, and once every transaction up to that id has ended the mark is settled.
create table event_consumer (
  name        text   primary key,
  -- The last event that was handled.
  position    bigint not null,
  -- Everything up to here is visible or will never be.
  settled_id  bigint not null,
  mark_id     bigint not null default 0,
  mark_xid    xid8,
  -- Attempts of the event after `position` that failed; how many events were given up after too many of them.
  failures    integer not null default 0,
  retry_ms    bigint  not null default 0,
  given_up    bigint  not null default 0
);
revoke all on event_consumer from tyrian_tenant;

-- A source that stopped sending is told of once: set when it went silent, cleared when it sends again.
alter table ingest_source add column silent_ms bigint;
create policy silent_sources on ingest_source to current_user
  using (current_setting('tyrian.sweep', true) = 'silent_sources')
  with check (current_setting('tyrian.sweep', true) = 'silent_sources');
create policy silent_sources on ingest_counter for select to current_user
  using (current_setting('tyrian.sweep', true) = 'silent_sources');
