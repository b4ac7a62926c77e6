-- What users are told. A notification belongs to one user and is about one object of one scope; whoever loses the scope
-- does not see it any more. These tables belong to the platform: one list holds what is new in all tenants of a user.

create table notification (
  notification_id bigint      generated always as identity primary key,
  user_id         text        not null references person on delete cascade,
  cluster_id      text        not null,
  scope_id        text        not null,
  kind            text        not null check (kind in
    ('critical_signal', 'case_assigned', 'case_mention', 'rule_failing', 'source_silent')),
  -- Unread ones of one group are one: many signals of a rule are one line with a count.
  group_key       text        not null,
  -- The newest object of the group.
  object_id       text        not null,
  event_count     integer     not null default 1,
  -- The names that the line shows.
  details         jsonb       not null,
  actor_name      text,
  created_at      timestamptz not null,
  read_at         timestamptz,
  -- Listed in the console; false for whoever wants the mail alone.
  in_console      boolean     not null,
  mail_state      text        not null check (mail_state in ('none', 'due', 'sent', 'dropped')),
  foreign key (cluster_id, scope_id) references scope on delete cascade
);
create index notification_list on notification (user_id, created_at desc);
create index notification_place on notification (cluster_id, scope_id);
create unique index notification_unread_group on notification (user_id, group_key) where read_at is null;
create index notification_mail_due on notification (user_id) where mail_state = 'due';

-- What differs from: in the console yes, by mail no.
create table notification_switch (
  user_id    text    not null references person on delete cascade,
  kind       text    not null,
  in_console boolean not null,
  by_mail    boolean not null,
  primary key (user_id, kind)
);

-- How many mails a user got in the running hour; what is beyond the limit waits for the digest at its end.
create table notification_mailbox (
  user_id     text        primary key references person on delete cascade,
  hour_start  timestamptz not null,
  sent        integer     not null,
  -- Nobody else sends to this user before then.
  lease_until timestamptz not null default 'epoch'
);

revoke all on notification, notification_switch, notification_mailbox from tyrian_tenant;
