-- Updates of content that wait for somebody to take or decline them: newer shipped detections, newer rules of packs that
-- were imported for review, and newer originals of copies.

-- Whether newer shipped detections replace those of the tenant at once; a tenant without a row reviews them.
create table content_policy (
  cluster_id text        primary key,
  shipped    text        not null check (shipped in ('review', 'at-once')),
  changed_at timestamptz not null,
  changed_by text        not null
);
select tyrian_secure('content_policy');

-- Updates of workbooks that somebody declined: what is offered is compared with what the tenant has, and needs no row.
create table workbook_update_declined (
  cluster_id  text        not null,
  workbook_id text        not null,
  -- Of the content that was declined; that of the next release is offered again.
  offered     text        not null,
  declined_at timestamptz not null,
  declined_by text        not null,
  primary key (cluster_id, workbook_id),
  foreign key (cluster_id, workbook_id) references workbook on delete cascade
);
select tyrian_secure('workbook_update_declined');

-- The version of the original that a copy holds; null for what is no copy.
alter table workbook add column cloned_version integer;
alter table workbook no force row level security;
alter table workbook_version no force row level security;
update workbook w set cloned_version = substring(v.commit_message from '"version":([0-9]{1,9})')::integer
  from workbook_version v
  where w.cloned_from is not null and v.cluster_id = w.cluster_id and v.workbook_id = w.workbook_id and v.version = 1
    and v.commit_message like '%workbooks.copyOf%';
alter table workbook force row level security;
alter table workbook_version force row level security;
create index workbook_copies on workbook (cluster_id, cloned_from) where cloned_from is not null;

alter table rule_import
  -- What it would change waits in pack_rule_update.
  add column review boolean not null default false,
  -- The archive holds the whole pack: rules that are not in it go.
  add column whole  boolean not null default true,
  -- What the scope changes about its rules, as the archive says: [{path, position, sigma_id, overlay}].
  add column settings jsonb not null default '[]';

-- What an import for review found to be newer than what the tenant runs. Taken or replaced, a row goes.
create table pack_rule_update (
  cluster_id   text        not null,
  rule_id      text        not null,
  pack_id      text        not null,
  change       text        not null check (change in ('new', 'changed', 'gone')),
  title        text        not null,
  -- Parts that differ, by name.
  parts        text[]      not null,
  fingerprint  text        not null,
  -- The rule as the archive has it, text and query with it; null when the archive does not hold it any more.
  content      jsonb,
  -- Who imported it.
  author       text        not null,
  offered_at   timestamptz not null,
  declined_at  timestamptz,
  primary key (cluster_id, rule_id),
  foreign key (cluster_id, pack_id) references rule_pack on delete cascade
);
create index pack_rule_update_by_title on pack_rule_update (cluster_id, title, rule_id);
create index pack_rule_update_by_pack on pack_rule_update (cluster_id, pack_id);
select tyrian_secure('pack_rule_update');
