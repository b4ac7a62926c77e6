-- An audit entry is written in the transaction of the act it tells of: also in the transactions of tenant work, whose
-- role may add entries of its own tenant and read none. The head of the chain is signed now and then with the key of
-- the installation, which is not in the database: who writes the chain anew cannot sign it anew.

create or replace function audit_link() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  head   audit_head;
  tenant text := nullif(current_setting('tyrian.cluster_id', true), '');
begin
  if tenant is not null and new.cluster_id is distinct from tenant then
    raise exception 'an audit entry of another tenant than the transaction is bound to';
  end if;
  if new.org_id is null and new.user_id is not null then
    select org_id into new.org_id from person where user_id = new.user_id;
  end if;
  select * into head from audit_head for update;
  new.chain_no := head.last_no + 1;
  new.entry_hash := audit_hash(head.last_hash, new);
  update audit_head set last_no = new.chain_no, last_hash = new.entry_hash;
  return new;
end $$;

grant insert on audit_entry to tyrian_tenant;
grant usage on sequence audit_entry_audit_id_seq to tyrian_tenant;

-- A head of the chain as it stood when it was signed.
create table audit_signature (
  chain_no   bigint primary key,
  entry_hash bytea  not null,
  signed_ms  bigint not null,
  -- HMAC-SHA256 over number, hash and time, by the key of the installation.
  signature  bytea  not null
);
create trigger audit_signature_kept before update or delete or truncate on audit_signature
  for each statement execute function audit_kept();
revoke all on audit_signature from tyrian_tenant;
