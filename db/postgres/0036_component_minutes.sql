-- How each component was by minute: roles write their own minutes with their heartbeat, the job `component-figures` those
-- of engines, and removes what is older than two hours.

create table component_minute (
  -- Of a role the id of its row in component; of an engine its name, e.g. `postgres` or `clickhouse@host:8123`.
  component text        not null,
  -- Begin of the minute.
  minute_at timestamptz not null,
  -- Figures as the console shows them: percentages, bytes, counts, things a second.
  figures   jsonb       not null,
  -- Of engines: what they count since their start, from which the next minute's figures are the difference.
  counters  jsonb       not null default '{}',
  -- Of engines.
  version   text        not null default '',
  -- When the figures were taken; of the last heartbeat in the minute.
  taken_at  timestamptz not null,
  primary key (component, minute_at)
);
create index component_minute_age on component_minute (minute_at);
-- It belongs to the platform, of no tenant.
revoke all on component_minute from tyrian_tenant;
