import { sql } from 'kysely';
import type { Platform } from '../../../../platform/platform.ts';
import { timestamp } from '../../../../platform/postgres/timestamp.ts';
import { identityDb } from '../../identity-tables.ts';
import { hashPassword } from '../../sign-in/password-hash.ts';
import { agreedAt } from '../agreed-at.ts';

// A provider with as many customers as one likes: tenants with scopes, people, signals and a few events each.

export const ROOT = 'root@bench.example';
export const PROVIDER = 'provider@bench.example';
export const FLEET_PASSWORD = 'Bench-word.42';
const ORGANIZATIONS = 20;
const SIGNALS_OF_EACH = 40;
export const USERS_OF_EACH = 10;
export const SCOPES_OF_EACH = 5;
const signalsOf = (n: number, now: number) => sql`
  insert into signal (cluster_id, signal_id, scope_id, workbook_id, workbook_name, version, finding_key, name, stream,
    stage, tactic, technique, sub_technique, score, confidence, suspects, targets, first_at, last_at, created_at,
    occurrences)
  select ${`fleet${n}`}, ${`signal${n}x`} || s, ${`scope${n}x`} || s % ${SCOPES_OF_EACH}::int + 1, 'wb', 'Workbook', 1,
    's' || s, 'Credential dump ' || s, 'ProcessEvent', 'prod', 'Credential Access', 'T1003', '', 60, 'High', '[]', '[]',
    ${timestamp(now)} - s * interval '1 minute', ${timestamp(now)} - s * interval '1 minute', ${timestamp(now)}, 1
  from generate_series(1, ${SIGNALS_OF_EACH}::int) s`;

/**
 * Adds tenants `from` to `to` with scopes, users and signals; the provider is an analyst in every scope. `scopes` and
 * `events` are the scopes and stored events of each tenant.
 */
export async function growFleet(
  { postgres, eventStore }: Platform,
  from: number,
  to: number,
  { scopes = SCOPES_OF_EACH, events = 2000 } = {},
): Promise<void> {
  const now = Date.now();
  const hash = await hashPassword(FLEET_PASSWORD);
  const range = sql`generate_series(${from}::int, ${to - 1}::int) n`;
  const run = (statement: ReturnType<typeof sql>) => statement.execute(postgres.platform);
  await run(sql`insert into tenant (cluster_id, cluster_name, product_type, created_at)
    select 'fleet' || n, 'Customer ' || lpad(n::text, 4, '0'), 'professional', ${timestamp(now)} from ${range}`);
  await run(sql`insert into tenant_organization (cluster_id, org_id, is_primary)
    select 'fleet' || n, 'org' || n % ${ORGANIZATIONS}::int, true from ${range}`);
  await run(sql`insert into tenant_organization (cluster_id, org_id, is_primary)
    select 'fleet' || n, 'provider', false from ${range}`);
  await run(sql`insert into scope (cluster_id, scope_id, scope_name, created_at)
    select 'fleet' || n, 'scope' || n || 'x' || s, 'Site ' || s, ${timestamp(now)}
    from ${range}, generate_series(1, ${scopes}::int) s`);
  await run(sql`insert into person (user_id, org_id, email, name, user_type, password_hash, password_changed_at, created_at)
    select 'user' || n || 'x' || u, 'org' || n % ${ORGANIZATIONS}::int, 'user' || u || '@customer' || n || '.example',
      'User ' || u || ' of customer ' || n, 'general', ${hash}, ${timestamp(now)}, ${timestamp(now)}
    from ${range}, generate_series(1, ${USERS_OF_EACH}::int) u`);
  const everybody = sql`(select 'user' || n || 'x' || u as user_id, n from ${range},
    generate_series(1, ${USERS_OF_EACH}::int) u union all select 'provider', n from ${range})`;
  await run(sql`insert into tenant_access (user_id, cluster_id, access_type)
    select user_id, 'fleet' || n, 'Custom' from ${everybody} e`);
  await run(sql`insert into scope_access (user_id, cluster_id, scope_id, role)
    select e.user_id, s.cluster_id, s.scope_id, 'Security Analyst' from ${everybody} e
    join scope s on s.cluster_id = 'fleet' || e.n`);
  for (let n = from; n < to; n++) {
    await postgres.inTenant(`fleet${n}`, (trx) => signalsOf(n, now).execute(trx));
    await eventStore.ensureTenant(`fleet${n}`);
    if (events === 0) continue;
    await eventStore.command(
      `fleet${n}`,
      `INSERT INTO events (EventUid, TimeGenerated, IngestedTime, Scope, Stream, Raw)
       SELECT generateUUIDv4(), now64(3) - number, now64(3), 'scope${n}x1', 'ProcessEvent', toString(number) FROM numbers(${events})`,
    );
  }
  await sql`analyze`.execute(postgres.platform);
}

/** Adds the organizations, the provider and root. */
export async function addFleetPeople({ postgres }: Platform): Promise<void> {
  const db = identityDb(postgres);
  const now = Date.now();
  const organizations = ['provider', ...Array.from({ length: ORGANIZATIONS }, (_, at) => `org${at}`)];
  await db
    .insertInto('organization')
    .values(
      organizations.map((org_id) => ({ org_id, name: `Organization ${org_id}`, created_at: timestamp(now) })),
    )
    .execute();
  const password_hash = await hashPassword(FLEET_PASSWORD);
  const person = {
    org_id: 'provider',
    password_hash,
    password_changed_at: timestamp(now),
    created_at: timestamp(now),
  };
  await db
    .insertInto('person')
    .values([
      {
        ...person,
        ...agreedAt(now),
        user_id: 'provider',
        email: PROVIDER,
        name: 'Provider',
        user_type: 'general',
      },
      { ...person, ...agreedAt(now), user_id: 'rootuser', email: ROOT, name: 'Root', user_type: 'root' },
    ])
    .execute();
}
