-- What was silent before.

-- Whether people heard that a connector fails; they hear of it again only after it has run.
alter table connector add column failure_told boolean not null default false;

-- Whether a hunt met more different values than it keeps.
alter table indicator_hunt add column is_cut boolean not null default false;
