-- A number that goes up with every change of what people may reach. A process that has read an access record may use it
-- again as long as the number is the same: a right that is taken away is gone with the next call all the same.

create table access_version (
  only_one boolean primary key default true check (only_one),
  version  bigint  not null
);
insert into access_version (version) values (1);
revoke all on access_version from tyrian_tenant;

-- Runs with the rights of its owner: scopes are also changed by the role that sees one tenant alone.
create function count_access_change() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update access_version set version = version + 1;
  return null;
end $$;

create trigger access_change after insert or update or delete on tenant
  for each statement execute function count_access_change();
create trigger access_change after insert or update or delete on scope
  for each statement execute function count_access_change();
create trigger access_change after insert or update or delete on tenant_access
  for each statement execute function count_access_change();
create trigger access_change after insert or update or delete on scope_access
  for each statement execute function count_access_change();
-- Signing in writes to a person too, and changes nothing of this.
create trigger access_change after delete or update of
    org_id, email, name, user_type, root_viewer, mfa_enabled, locale, eula_version, policy_version on person
  for each statement execute function count_access_change();
