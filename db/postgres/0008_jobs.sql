-- Jobs: what runs behind an answer or by the clock. graphile-worker queues and locks them in a schema of its own and
-- forgets what is done; these tables say what runs, ran, failed and waits, and decide who may run it.

create table job_run (
  run_id         bigint      generated always as identity primary key,
  -- The entry of graphile-worker's queue that stands for this run now; another one after each wait. What comes with any
  -- other entry is out of date and does nothing.
  queue_id       bigint      unique,
  kind           text        not null,
  -- Null: for the whole installation.
  cluster_id     text        references tenant on delete cascade,
  payload        jsonb       not null default '{}',
  -- Of one kind and tenant, one run with this key waits at a time.
  wait_key       text,
  state          text        not null check (state in ('waiting', 'running', 'done', 'failed', 'canceled')),
  -- Made by the clock, not by an act.
  is_scheduled   boolean     not null default false,
  -- How many of a tenant run at once.
  places         integer     not null default 1,
  attempt        integer     not null default 0,
  -- Of job_runner: the process that has it.
  pool_id        text,
  asked_by       text,
  asked_name     text,
  -- Things handled so far, and of how many.
  progress_done  bigint,
  progress_total bigint,
  error          text,
  created_at     timestamptz not null default now(),
  -- Not before.
  due_at         timestamptz not null default now(),
  started_at     timestamptz,
  ended_at       timestamptz,
  -- Somebody wants it to stop.
  cancel_at      timestamptz
);
-- The list of the page: what has not ended first, then the newest.
create index job_run_list on job_run ((ended_at is null) desc, run_id desc);
create index job_run_tenant on job_run (cluster_id, (ended_at is null) desc, run_id desc);
create index job_run_open on job_run (kind, coalesce(cluster_id, ''), wait_key) where ended_at is null;
create index job_run_age on job_run (ended_at) where ended_at is not null;

-- Processes that run jobs. Whoever is silent has died: others free what it had.
create table job_runner (
  pool_id text        primary key,
  seen_at timestamptz not null default now()
);

-- The list holds jobs of all tenants and of none, so it belongs to the platform; a tenant's transaction adds to it
-- through enqueue_job alone.
revoke all on job_run, job_runner from tyrian_tenant;

-- Puts an entry into the queue. A tenant has two places over all its jobs, so that it never takes every worker; what has
-- many of its own before it comes after what others wait for.
create function add_to_job_queue(
  p_kind text, p_cluster_id text, p_places integer, p_due_at timestamptz
) returns bigint language plpgsql as $$
declare
  v_queue text := 'kind/' || p_kind;
  v_behind integer := 0;
  v_id bigint;
begin
  if p_cluster_id is not null then
    v_queue := 'tenant/' || p_cluster_id || '/' || case when p_places > 1 then floor(random() * 2)::integer
      else (hashtext(p_kind) & 1) end;
    select count(*) into v_behind from (
      select from job_run where cluster_id = p_cluster_id and ended_at is null limit 1000) as waiting;
  end if;
  select id into v_id from graphile_worker.add_job(
    p_kind, queue_name := v_queue, run_at := p_due_at, priority := v_behind);
  return v_id;
end $$;

-- Makes a run that waits, in the transaction of whoever asks; answers its id, or the id of the one with the same key that
-- waits already. It begins after this transaction has ended, and sees what was written in it.
create function enqueue_job(
  p_kind text, p_cluster_id text, p_payload jsonb, p_wait_key text, p_places integer, p_wait_ms bigint,
  p_asked_by text, p_asked_name text
) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_bound text := nullif(current_setting('tyrian.cluster_id', true), '');
  v_due timestamptz := now() + p_wait_ms * interval '1 millisecond';
  v_run bigint;
begin
  if v_bound is not null and v_bound is distinct from p_cluster_id then
    raise exception 'a job of another tenant' using errcode = 'insufficient_privilege';
  end if;
  if p_wait_key is not null then
    perform pg_advisory_xact_lock(hashtextextended(
      concat_ws(' ', 'job', p_kind, coalesce(p_cluster_id, ''), p_wait_key), 0));
    -- Held until the transaction ends, so that it does not begin before it could see what was written here.
    select run_id into v_run from job_run
      where kind = p_kind and coalesce(cluster_id, '') = coalesce(p_cluster_id, '') and wait_key = p_wait_key
        and ended_at is null and state = 'waiting' and due_at <= v_due
      limit 1 for update;
    if v_run is not null then return v_run; end if;
  end if;
  insert into job_run (queue_id, kind, cluster_id, payload, wait_key, state, places, due_at, asked_by, asked_name)
    values (add_to_job_queue(p_kind, p_cluster_id, p_places, v_due), p_kind, p_cluster_id, p_payload, p_wait_key,
      'waiting', p_places, v_due, p_asked_by, p_asked_name)
    returning run_id into v_run;
  return v_run;
end $$;
revoke execute on function enqueue_job from public;
grant execute on function enqueue_job to tyrian_tenant;

-- Puts a run back to wait; true when it was in the named state, at the named attempt (any when null).
create function put_job_back(p_run_id bigint, p_state text[], p_attempt integer, p_next_attempt integer,
  p_wait_ms bigint, p_error text) returns boolean language plpgsql as $$
declare
  v_run job_run;
  v_due timestamptz := now() + p_wait_ms * interval '1 millisecond';
begin
  select * into v_run from job_run where run_id = p_run_id and state = any(p_state)
    and (p_attempt is null or attempt = p_attempt) for update;
  if v_run.run_id is null then return false; end if;
  update job_run set state = 'waiting', attempt = p_next_attempt, due_at = v_due, error = p_error, pool_id = null,
      ended_at = null, cancel_at = null,
      queue_id = add_to_job_queue(v_run.kind, v_run.cluster_id, v_run.places, v_due)
    where run_id = p_run_id;
  return true;
end $$;

-- A process says that it lives, and frees what dead ones have locked. Answers the ids of its runs that are to stop; null
-- when others took it for dead: it must stop all of them.
create function beat_job_runner(p_pool_id text, p_silent_ms bigint) returns bigint[] language plpgsql as $$
declare
  v_dead text[];
  v_before timestamptz := now() - p_silent_ms * interval '1 millisecond';
begin
  update job_runner set seen_at = now() where pool_id = p_pool_id;
  if not found then return null; end if;
  delete from job_runner where seen_at < v_before;
  select array_agg(distinct locked_by) into v_dead from graphile_worker.jobs
    where locked_at < v_before and locked_by not in (select pool_id from job_runner);
  if v_dead is not null then perform graphile_worker.force_unlock_workers(v_dead); end if;
  return array(select run_id from job_run
    where pool_id = p_pool_id and ended_at is null and state = 'running' and cancel_at is not null);
end $$;
