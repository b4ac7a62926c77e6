-- Attempts that are being looked at, beside those that failed: a right password takes its attempt back without ever
-- having counted as a failure, and wrong ones at the same time still cannot be more than the limit.
alter table login_failure add column pending integer not null default 0;
-- When the last of them began; one that never ended belongs to a process that is gone.
alter table login_failure add column pending_ms bigint not null default 0;

-- Finds the users whose address is in a mail domain.
create index person_mail_domain on person (split_part(lower(email), '@', 2));
