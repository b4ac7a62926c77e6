-- Who may claim the syslog of which senders. Root gives networks and names of client certificates to tenants; a source
-- names only what its tenant has. No two grants overlap, in either direction, so that a longer prefix takes nobody's logs.

create table syslog_grant (
  grant_id    text primary key,
  cluster_id  text not null references tenant on delete cascade,
  network     cidr,
  -- SHA-256 of a client certificate in hexadecimal, or the common name of its subject, in lower case.
  certificate text,
  created_by  text not null,
  created_ms  bigint not null,
  check ((network is null) <> (certificate is null)),
  constraint syslog_grant_network exclude using gist (network inet_ops with &&)
);
create unique index syslog_grant_certificate on syslog_grant (certificate);
create index syslog_grant_cluster on syslog_grant (cluster_id);

-- Which source the messages of a client certificate belong to.
create table ingest_certificate (
  certificate text primary key,
  cluster_id  text not null,
  source_id   text not null,
  foreign key (cluster_id, source_id) references ingest_source on delete cascade
);
create index ingest_certificate_source on ingest_certificate (cluster_id, source_id);

revoke all on syslog_grant, ingest_certificate from tyrian_tenant;

alter table ingest_source add column certificates text[];
-- Why a source, or a part of it, receives nothing although nobody revoked it.
alter table ingest_source add column notice text;

-- Refusals are pruned by age.
create index ingest_refusal_age on ingest_refusal (last_ms);

-- Sources from before: their networks are given to their tenant, the oldest source first. A source with a network that
-- overlaps what an older source of another tenant has is cut off, and says so.
alter table ingest_source no force row level security;
do $$
declare
  one record;
  net cidr;
begin
  for one in
    select cluster_id, source_id, networks from ingest_source
    where kind = 'syslog' and revoked_ms is null order by created_ms, source_id
  loop
    if exists (
      select 1 from syslog_grant g, unnest(one.networks) n
      where g.network && n and g.cluster_id <> one.cluster_id
    ) then
      delete from ingest_sender where cluster_id = one.cluster_id and source_id = one.source_id;
      update ingest_source
        set notice = 'its networks are not networks of this tenant; ask the platform''s administrator'
        where cluster_id = one.cluster_id and source_id = one.source_id;
      continue;
    end if;
    foreach net in array one.networks loop
      if exists (select 1 from syslog_grant g where g.network >>= net) then continue; end if;
      -- A wider network takes in the narrower ones of the same tenant.
      delete from syslog_grant g where g.network << net;
      insert into syslog_grant (grant_id, cluster_id, network, created_by, created_ms)
        values (replace(gen_random_uuid()::text, '-', ''), one.cluster_id, net, 'System',
                (extract(epoch from now()) * 1000)::bigint);
    end loop;
  end loop;
end $$;
alter table ingest_source force row level security;
