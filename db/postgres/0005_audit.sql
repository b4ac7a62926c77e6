-- The audit trail. Entries form a chain: each carries the hash of its content and of the entry before it, so that a
-- changed, removed or moved entry shows. `tyrian check audit` walks the chain. An entry is written in the transaction of
-- the act it tells of: also in the transactions of tenant work, whose role may add entries of its own tenant and read
-- none. The head of the chain is signed now and then with the key of the installation, which is not in the database: who
-- writes the chain anew cannot sign it anew.

create table audit_entry (
  audit_id   bigint      generated always as identity primary key,
  created_at timestamptz not null,
  source     text        not null,
  -- Who; kept as text so that it outlives the account.
  user_id    text,
  user_name  text        not null,
  org_id     text,
  cluster_id text,
  scope_id   text,
  action     text        not null,
  entity     text        not null default '',
  details    jsonb       not null default '{}',
  chain_no   bigint      not null,
  entry_hash bytea       not null
);
create index audit_entry_cluster on audit_entry (cluster_id, created_at desc);
create index audit_entry_org on audit_entry (org_id, created_at desc);
create index audit_entry_created on audit_entry (created_at desc);
create index audit_entry_chain on audit_entry (chain_no);

-- The last link. Its row is also the lock that puts writers in order.
create table audit_head (
  only_row  boolean primary key default true check (only_row),
  last_no   bigint  not null,
  last_hash bytea   not null
);
insert into audit_head (last_no, last_hash) values (0, '\x');

-- The time counts as epoch milliseconds, whatever the time zone of the session.
create function audit_hash(previous bytea, entry audit_entry) returns bytea language sql stable as $$
  select sha256(previous || convert_to(jsonb_build_array(
    entry.chain_no, extract(epoch from entry.created_at) * 1000, entry.source, entry.user_id, entry.user_name,
    entry.org_id, entry.cluster_id, entry.scope_id, entry.action, entry.entity, entry.details)::text, 'UTF8'))
$$;

create function audit_link() returns trigger language plpgsql security definer
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
create trigger audit_entry_link before insert on audit_entry for each row execute function audit_link();

create function audit_kept() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are never changed or removed';
end $$;
create trigger audit_entry_kept before update or delete or truncate on audit_entry
  for each statement execute function audit_kept();

-- A head of the chain as it stood when it was signed.
create table audit_signature (
  chain_no   bigint      primary key,
  entry_hash bytea       not null,
  signed_at  timestamptz not null,
  -- HMAC-SHA256 over number, hash and time, by the key of the installation.
  signature  bytea       not null
);
create trigger audit_signature_kept before update or delete or truncate on audit_signature
  for each statement execute function audit_kept();

revoke all on audit_entry, audit_head, audit_signature from tyrian_tenant;
revoke all on sequence audit_entry_audit_id_seq from tyrian_tenant;
grant insert on audit_entry to tyrian_tenant;
grant usage on sequence audit_entry_audit_id_seq to tyrian_tenant;
