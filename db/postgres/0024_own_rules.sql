-- Rules that a tenant writes in the console: what a rule of the pack `own` has beside the rules of other packs, and what a
-- version is about.

alter table pack_rule_version add column comment text not null default '';

create table own_rule (
  cluster_id   text        not null,
  rule_id      text        not null,
  -- The rule that it was made from; that one may be gone.
  cloned_from  text,
  -- Null: not locked.
  locked_by    text,
  locked_by_id text,
  locked_at    timestamptz,
  primary key (cluster_id, rule_id),
  foreign key (cluster_id, rule_id) references pack_rule on delete cascade
);
select tyrian_secure('own_rule');

-- Upkeep looks over all tenants and asks for that by name: verdicts follow what a tenant has, whoever wrote the rule.
create policy rule_upkeep on own_rule to current_user
  using (current_setting('tyrian.sweep', true) = 'rule_upkeep')
  with check (current_setting('tyrian.sweep', true) = 'rule_upkeep');
