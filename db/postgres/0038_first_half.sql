-- Rules that look at single events find those of a busy scope before their minute is over: its first half is evaluated
-- apart, and then only the second. The ledger, and what is counted for late events, stay in whole windows.

-- What is known of the first half of the group's next window: how far it reaches, its events by stream, which rules it was
-- not evaluated for, and what was found. Null when nothing is: then the window is evaluated whole.
alter table rule_group add column first_half jsonb;
-- When it may be evaluated; null while the windows of the scope hold few events.
alter table rule_group add column first_half_due_at timestamptz;
create index rule_group_first_half on rule_group (first_half_due_at) where first_half_due_at is not null;
