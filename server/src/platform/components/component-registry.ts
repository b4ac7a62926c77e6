import { hostname } from 'node:os';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { bindDeps } from '../bind-deps.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import { newId } from '../new-id.ts';
import type { PlatformTables } from '../postgres/platform-tables.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { timestamp } from '../postgres/timestamp.ts';
import { type ComponentSample, writeMinute } from './component-minutes.ts';

// Each running role says in PostgreSQL that it is there and repeats it every ten seconds. Whoever reads the list
// takes a silent row for a dead role; no process has to tidy up after one that was killed. What it says of itself is kept by
// minute besides.

export const COMPONENT_ROLES = ['api', 'ingest', 'worker'] as const;
export type ComponentRole = (typeof COMPONENT_ROLES)[number];

interface Component {
  readonly id: string;
  readonly role: ComponentRole;
  readonly host: string;
  readonly processId: number;
  readonly version: string;
  /** `running`; `stopped` after a clean stop; `silent` when it has not been heard for a minute. */
  readonly state: 'running' | 'stopped' | 'silent';
  readonly details: unknown;
  readonly startedMs: number;
  readonly heartbeatMs: number;
}

const HEARTBEAT_MS = 10_000;
const SILENT_AFTER_MS = 60_000;
const FORGET_AFTER_MS = 24 * 3_600_000;

/** What a role says of itself: figures, besides texts, and what it counts since its start. */
export type ComponentDetails = Readonly<Record<string, unknown>> & {
  readonly counters?: ComponentSample['counters'];
};

export interface ComponentRegistry {
  /** Registers the role and starts its heartbeat; `details` is read again at each heartbeat. */
  start(role: ComponentRole, details?: () => ComponentDetails): Promise<void>;
  list(): Promise<readonly Component[]>;
  /** Ends the heartbeats and says that the roles stopped. */
  stop(): Promise<void>;
}

interface RegistryDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
}

interface RunningRole {
  readonly id: string;
  readonly timer: NodeJS.Timeout;
}

interface ComponentRegistryParts extends RegistryDeps {
  readonly db: Kysely<PlatformTables>;
  readonly running: RunningRole[];
}

export function createComponentRegistry(deps: RegistryDeps): ComponentRegistry {
  const { postgres } = deps;
  const db = postgres.platform;
  const running: RunningRole[] = [];
  const parts: ComponentRegistryParts = { ...deps, db, running };
  return bindDeps(parts, { start, list, stop });
}

async function heartbeat(
  parts: ComponentRegistryParts,
  id: string,
  role: ComponentRole,
  startedMs: number,
  details: () => ComponentDetails,
): Promise<void> {
  const now = parts.clock.now();
  const { counters = {}, ...own } = details();
  const said = { state: 'running', details: JSON.stringify(own), heartbeat_at: timestamp(now) };
  await parts.db
    .insertInto('component')
    .values({
      id,
      role,
      host: hostname(),
      process_id: process.pid,
      version: parts.version,
      started_at: timestamp(startedMs),
      ...said,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(said))
    .execute();
  await writeMinute(parts.db, id, now, { figures: figuresOf(own), counters });
}

/** Of what a role says, the numbers. */
function figuresOf(details: Readonly<Record<string, unknown>>): ComponentSample['figures'] {
  return Object.fromEntries(
    Object.entries(details).filter((one): one is [string, number] => typeof one[1] === 'number'),
  );
}

async function start(
  parts: ComponentRegistryParts,
  role: ComponentRole,
  details: () => ComponentDetails = () => ({}),
): Promise<void> {
  const { clock, db, log, running } = parts;
  const id = newId();
  const startedMs = clock.now();
  await heartbeat(parts, id, role, startedMs, details);
  await db
    .deleteFrom('component')
    .where('heartbeat_at', '<', timestamp(clock.now() - FORGET_AFTER_MS))
    .execute();
  const timer = setInterval(() => {
    heartbeat(parts, id, role, startedMs, details).catch((error: Error) =>
      log.warn({ err: error.message, role }, 'heartbeat not written'),
    );
  }, HEARTBEAT_MS);
  timer.unref();
  running.push({ id, timer });
}

async function list({ db, clock }: ComponentRegistryParts): Promise<readonly Component[]> {
  const rows = await db.selectFrom('component').selectAll().orderBy('started_at').execute();
  return rows.map((row) => ({
    id: row.id,
    role: row.role as ComponentRole,
    host: row.host,
    processId: row.process_id,
    version: row.version,
    state:
      row.state === 'running' && row.heartbeat_at < clock.now() - SILENT_AFTER_MS
        ? 'silent'
        : (row.state as 'running' | 'stopped'),
    details: row.details,
    startedMs: row.started_at,
    heartbeatMs: row.heartbeat_at,
  }));
}

async function stop({ running, clock, db }: ComponentRegistryParts): Promise<void> {
  const ids = running.map((role) => role.id);
  for (const role of running.splice(0)) clearInterval(role.timer);
  if (ids.length === 0) return;
  await sql`update component set state = 'stopped', heartbeat_at = ${timestamp(clock.now())} where id = any(${ids})`.execute(
    db,
  );
}
