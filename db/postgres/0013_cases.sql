-- Investigations. Every table is under row-level security; a case stays in the scope that it was made in.

create table incident_case_counter (
  cluster_id  text    primary key,
  last_number integer not null
);
select tyrian_secure('incident_case_counter');

create table incident_case (
  cluster_id       text        not null,
  case_id          text        not null,
  scope_id         text        not null,
  -- CASE-<number>, counted per tenant.
  number           integer     not null,
  case_name        text        not null,
  status           text        not null check (status in ('OPEN', 'ON-HOLD', 'IN-PROGRESS', 'CLOSED')),
  severity         text        not null check (severity in ('Critical', 'High', 'Medium', 'Low', 'None')),
  handler_id       text,
  handler_name     text,
  resolution       text        check (resolution in ('true_positive', 'benign', 'false_positive', 'duplicate', 'other')),
  tags             text[]      not null default '{}',
  created_at       timestamptz not null,
  created_by       text        not null,
  updated_at       timestamptz not null,
  closed_at        timestamptz,
  -- The clock of time to respond: see case-clock.ts.
  status_since     timestamptz not null,
  worked_ms        bigint      not null default 0,
  on_hold_ms       bigint      not null default 0,
  oldest_signal_at timestamptz,
  risk_score       integer     not null default 0,
  signal_count     integer     not null default 0,
  artifact_count   integer     not null default 0,
  notes_count      integer     not null default 0,
  revision         integer     not null default 1,
  primary key (cluster_id, case_id),
  unique (cluster_id, number),
  check ((status = 'CLOSED') = (closed_at is not null)),
  check (status <> 'IN-PROGRESS' or handler_id is not null),
  check ((handler_id is null) = (handler_name is null))
);
create index incident_case_list on incident_case (cluster_id, scope_id, created_at desc);
create index incident_case_status on incident_case (cluster_id, scope_id, status);
select tyrian_secure('incident_case');

create table case_signal (
  cluster_id text        not null,
  case_id    text        not null,
  signal_id  text        not null,
  score      integer     not null,
  -- When the signal was raised; the oldest makes time to acknowledge.
  raised_at  timestamptz not null,
  added_at   timestamptz not null,
  added_by   text        not null,
  primary key (cluster_id, case_id, signal_id),
  foreign key (cluster_id, case_id) references incident_case on delete cascade
);
create index case_signal_signal on case_signal (cluster_id, signal_id);
select tyrian_secure('case_signal');

-- Entities that an analyst added by hand; those of the signals are read from the signals.
create table case_entity (
  cluster_id text        not null,
  case_id    text        not null,
  type       text        not null,
  value      text        not null,
  role       text        not null check (role in ('suspect', 'target', 'both')),
  added_at   timestamptz not null,
  added_by   text        not null,
  primary key (cluster_id, case_id, type, value),
  foreign key (cluster_id, case_id) references incident_case on delete cascade
);
select tyrian_secure('case_entity');

create table case_note (
  cluster_id text        not null,
  case_id    text        not null,
  note_id    bigint      generated always as identity,
  -- HTML-escaped once; see case-notes.ts of the contract.
  notes      text        not null check (notes <> ''),
  author     text        not null,
  author_id  text,
  kind       text        not null check (kind in ('user', 'system')),
  created_at timestamptz not null,
  tag_list   text[]      not null default '{}',
  primary key (cluster_id, case_id, note_id),
  foreign key (cluster_id, case_id) references incident_case on delete cascade
);
select tyrian_secure('case_note');

create table case_history (
  cluster_id text        not null,
  case_id    text        not null,
  entry_id   bigint      generated always as identity,
  created_at timestamptz not null,
  author     text        not null,
  author_id  text,
  action     text        not null,
  from_value text,
  to_value   text,
  -- How a case was closed, with the note that was written then.
  resolution text        check (resolution in ('true_positive', 'benign', 'false_positive', 'duplicate', 'other')),
  -- HTML-escaped once, like case_note.notes.
  note       text,
  primary key (cluster_id, case_id, entry_id),
  foreign key (cluster_id, case_id) references incident_case on delete cascade
);
select tyrian_secure('case_history');
