-- Audit entries form a chain: each carries the hash of its content and of the entry before it, so that a changed,
-- removed or moved entry shows. `tyrian check audit` walks the chain.

alter table audit_entry add column chain_no bigint;
alter table audit_entry add column entry_hash bytea;

-- The last link. Its row is also the lock that puts writers in order.
create table audit_head (
  only_row  boolean primary key default true check (only_row),
  last_no   bigint not null,
  last_hash bytea not null
);
insert into audit_head (last_no, last_hash) values (0, '\x');

create function audit_hash(previous bytea, entry audit_entry) returns bytea language sql stable as $$
  select sha256(previous || convert_to(jsonb_build_array(
    entry.chain_no, entry.created_ms, entry.source, entry.user_id, entry.user_name, entry.org_id,
    entry.cluster_id, entry.scope_id, entry.action, entry.entity, entry.details)::text, 'UTF8'))
$$;

create function audit_link() returns trigger language plpgsql as $$
declare
  head audit_head;
begin
  select * into head from audit_head for update;
  new.chain_no := head.last_no + 1;
  new.entry_hash := audit_hash(head.last_hash, new);
  update audit_head set last_no = new.chain_no, last_hash = new.entry_hash;
  return new;
end $$;

-- Entries from before the chain are linked in their order.
do $$
declare
  entry audit_entry;
  head  audit_head;
begin
  for entry in select * from audit_entry order by audit_id loop
    select * into head from audit_head;
    entry.chain_no := head.last_no + 1;
    entry.entry_hash := audit_hash(head.last_hash, entry);
    update audit_entry set chain_no = entry.chain_no, entry_hash = entry.entry_hash
      where audit_id = entry.audit_id;
    update audit_head set last_no = entry.chain_no, last_hash = entry.entry_hash;
  end loop;
end $$;

alter table audit_entry alter column chain_no set not null;
alter table audit_entry alter column entry_hash set not null;
create index audit_entry_chain on audit_entry (chain_no);
create trigger audit_entry_link before insert on audit_entry for each row execute function audit_link();

create function audit_kept() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are never changed or removed';
end $$;
create trigger audit_entry_kept before update or delete or truncate on audit_entry
  for each statement execute function audit_kept();

revoke all on audit_head from tyrian_tenant;
