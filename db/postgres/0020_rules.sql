-- Rules as content: packs of Sigma rules that tenants have imported. The text of a rule is stored once, however many
-- packs hold it; what a list shows and filters stands in `pack_rule`; a scope holds only what differs for it. Whether a
-- rule runs in a scope, and how far it has come, stands in `rule` (0011_detections.sql) as for workbooks.

-- A rule there may belong to a pack now; who deletes a workbook or a pack deletes its rules.
alter table rule drop constraint rule_cluster_id_workbook_id_fkey;

-- Texts of rules and the queries that they compile to, by their SHA-256. A tenant sees those that its own rules name, and
-- adds through add_rule_texts alone, which answers nothing: nobody learns that a text was there before.
create table rule_text (
  text_hash  text        primary key,
  body       text        not null,
  -- Texts that nobody names go a day after this.
  touched_at timestamptz not null default now()
);
revoke all on rule_text from tyrian_tenant;
grant select on rule_text to tyrian_tenant;

create table rule_pack (
  cluster_id  text        not null,
  pack_id     text        not null,
  name        text        not null,
  -- `imported`: others wrote it; `own`: the tenant did.
  kind        text        not null check (kind in ('imported', 'own')),
  created_at  timestamptz not null,
  imported_at timestamptz,
  imported_by text        not null default '',
  primary key (cluster_id, pack_id),
  unique (cluster_id, name)
);
select tyrian_secure('rule_pack');

-- Large values stand apart from the row, so that lists and counts read little.
create table pack_rule (
  cluster_id  text        not null,
  rule_id     text        not null,
  pack_id     text        not null,
  -- The file below the folder that was imported, and the position of the rule in it.
  path        text        not null,
  position    integer     not null,
  kind        text        not null check (kind in ('rule', 'correlation', 'filter', 'unreadable')),
  sigma_id    text,
  title       text        not null,
  level       text        not null default '',
  status      text        not null default '',
  log_source  text        not null default '',
  tactics     text[]      not null default '{}',
  techniques  text[]      not null default '{}',
  -- Null: any stream.
  streams     text[],
  verdict     text        not null,
  reason_code text,
  -- It raises signals of its own and has a query.
  can_run     boolean     not null,
  -- Null: there is no query.
  kql_hash    text        references rule_text,
  text_hash   text        not null references rule_text,
  version     integer     not null,
  -- Of all that the import read, so that what has not changed is not written.
  fingerprint text        not null,
  -- What a search looks at, in lower case.
  search_text text        not null,
  -- Authors, licence, references, reason, fields and how they are read.
  about       jsonb       not null,
  changed_at  timestamptz not null,
  -- The last import of its pack did not hold it; it stays while a scope has it switched on.
  gone_at     timestamptz,
  primary key (cluster_id, rule_id),
  foreign key (cluster_id, pack_id) references rule_pack on delete cascade
) with (toast_tuple_target = 256);
alter table pack_rule alter column about set storage external;
create index pack_rule_by_title on pack_rule (cluster_id, title, rule_id);
create index pack_rule_by_pack on pack_rule (cluster_id, pack_id);
create index pack_rule_text on pack_rule (text_hash);
create index pack_rule_kql on pack_rule (kql_hash);
select tyrian_secure('pack_rule');

create table pack_rule_version (
  cluster_id text        not null,
  rule_id    text        not null,
  version    integer     not null,
  text_hash  text        not null references rule_text,
  saved_at   timestamptz not null,
  saved_by   text        not null,
  primary key (cluster_id, rule_id, version),
  foreign key (cluster_id, rule_id) references pack_rule on delete cascade
);
create index pack_rule_version_text on pack_rule_version (text_hash);
select tyrian_secure('pack_rule_version');

-- What a scope changes about a rule; kept through every update of the rule.
create table scope_rule (
  cluster_id text        not null,
  scope_id   text        not null,
  rule_id    text        not null,
  -- As `rule` says; here for lists.
  enabled    boolean     not null default false,
  stage      text        not null default 'test',
  -- Null: as the rule says.
  level      text,
  -- {mode, cron, timezone, lookback_minutes}; null: every minute.
  schedule   jsonb,
  -- [{field, operator, values, reason}]
  exceptions jsonb       not null default '[]',
  -- {count, minutes, field}; null: each event.
  threshold  jsonb,
  revision   integer     not null default 1,
  changed_at timestamptz not null,
  changed_by text        not null,
  primary key (cluster_id, scope_id, rule_id),
  foreign key (cluster_id, rule_id) references pack_rule on delete cascade
);
create index scope_rule_by_rule on scope_rule (cluster_id, rule_id);
create index scope_rule_on on scope_rule (cluster_id, scope_id, rule_id) where enabled;
select tyrian_secure('scope_rule');

-- Grows with every change of what rules of the tenant ask or say: whoever has read them at this number need not again.
create table rule_revision (
  cluster_id text   primary key,
  revision   bigint not null,
  -- Of the streams and fields that the verdicts were given for.
  reach      text   not null default ''
);
select tyrian_secure('rule_revision');

create table rule_import (
  cluster_id  text        not null,
  import_id   text        not null,
  scope_id    text        not null,
  pack_id     text        not null,
  state       text        not null check (state in ('uploading', 'waiting', 'running', 'done', 'failed', 'canceled')),
  -- Of job_run.
  run_id      bigint,
  files_done  integer     not null default 0,
  files_total integer,
  -- Rules by verdict, and by tactic and log source; changes by kind.
  totals      jsonb       not null default '{}',
  error       text,
  created_at  timestamptz not null,
  started_at  timestamptz,
  ended_at    timestamptz,
  author      text        not null,
  author_id   text        not null,
  primary key (cluster_id, import_id),
  foreign key (cluster_id, pack_id) references rule_pack on delete cascade
);
create index rule_import_by_time on rule_import (cluster_id, created_at desc);
create index rule_import_unfinished on rule_import (created_at) where state = 'uploading';
select tyrian_secure('rule_import');

-- The archive, until the import has ended.
create table rule_import_part (
  cluster_id text    not null,
  import_id  text    not null,
  part       integer not null,
  bytes      bytea   not null,
  primary key (cluster_id, import_id, part),
  foreign key (cluster_id, import_id) references rule_import on delete cascade
);
select tyrian_secure('rule_import_part');

-- What an import changed in its pack.
create table rule_change (
  cluster_id     text not null,
  import_id      text not null,
  rule_id        text not null,
  change         text not null check (change in ('new', 'changed', 'verdict', 'gone')),
  title          text not null,
  path           text not null,
  verdict_before text,
  verdict_after  text,
  primary key (cluster_id, import_id, rule_id),
  foreign key (cluster_id, import_id) references rule_import on delete cascade
);
select tyrian_secure('rule_change');

alter table rule_text enable row level security;
create policy named_by_tenant on rule_text for select to tyrian_tenant using (
  exists (select from pack_rule r where r.cluster_id = current_setting('tyrian.cluster_id', true)
    and (r.text_hash = rule_text.text_hash or r.kql_hash = rule_text.text_hash))
  or exists (select from pack_rule_version v where v.cluster_id = current_setting('tyrian.cluster_id', true)
    and v.text_hash = rule_text.text_hash));

-- Keeps texts. In order, so that two imports never wait for each other.
create function add_rule_texts(p_texts text[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into rule_text (text_hash, body)
    select distinct on (hash) hash, body
    from (select encode(sha256(convert_to(body, 'UTF8')), 'hex') as hash, body from unnest(p_texts) as given (body)) as texts
    order by hash
  on conflict (text_hash) do update set touched_at = now()
    where rule_text.touched_at < now() - interval '1 hour';
$$;
revoke all on function add_rule_texts from public;
grant execute on function add_rule_texts to tyrian_tenant;

-- Upkeep looks over all tenants and asks for that by name.
do $$
declare
  name text;
begin
  foreach name in array array['pack_rule', 'pack_rule_version', 'rule_import'] loop
    execute format('create policy rule_upkeep on %I to current_user '
      'using (current_setting(''tyrian.sweep'', true) = ''rule_upkeep'') '
      'with check (current_setting(''tyrian.sweep'', true) = ''rule_upkeep'')', name);
  end loop;
end $$;
