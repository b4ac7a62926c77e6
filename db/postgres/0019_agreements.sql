-- Which version of the licence agreement and of the privacy policy somebody has accepted: a new version asks again.

alter table person
  add column eula_version   integer not null default 0,
  add column policy_version integer not null default 0;

update person set eula_version = 1 where eula_accepted_ms is not null;
update person set policy_version = 1 where policy_accepted_ms is not null;
