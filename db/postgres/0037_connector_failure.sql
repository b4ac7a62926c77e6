-- Whether people heard that a connector fails; they hear of it again only after it has run.
alter table connector add column failure_told boolean not null default false;
