-- What was searched, and fields that events no longer have, go after a time, over all tenants in one statement; see
-- expired_results in 0025_search_result_quota.sql.
create policy search_upkeep on search_history to current_user
  using (current_setting('tyrian.sweep', true) = 'search_upkeep');
create policy search_upkeep on seen_field to current_user
  using (current_setting('tyrian.sweep', true) = 'search_upkeep');
create index search_history_by_age on search_history (started_ms);
create index seen_field_by_age on seen_field (last_seen_ms);
