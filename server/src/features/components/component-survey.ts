import {
  type ComponentConfig,
  type ComponentItem,
  type ComponentState,
  codedText,
  type MessageValue,
  readStoredText,
  type ServerMessage,
  say,
  sayAgain,
  sayAll,
} from '@tyrian/contract';
import { z } from 'zod';
import { type ComponentMinute, edgeMinutes, minutesOf } from '../../platform/components/component-minutes.ts';
import { countWaitingJobs } from '../../platform/jobs/count-waiting-jobs.ts';
import type { Platform } from '../../platform/platform.ts';
import { saidOf } from '../../platform/said-of-failure.ts';
import { DEFAULT_CONFIG, type StoredConfig } from './component-config-store.ts';
import { droppedWithin, metricsOfEngine, NO_METRICS } from './component-figures.ts';

// How every component is now: roles by what they say of themselves, engines by how they answer. Limits of the
// platform decide from when on a component counts as degraded.

type PlatformParts = Pick<
  Platform,
  'clock' | 'components' | 'engineHealth' | 'eventStore' | 'postgres' | 'version'
>;

/** A tenant with an engine of its own. */
export interface OwnEngine {
  readonly clusterId: string;
  readonly clusterName: string;
  readonly url: string;
}

const ANSWER_MS = 3_000;
const HOUR_MS = 3_600_000;
/** Engines are sampled each minute; whoever has none for longer is not heard. */
const HEARD_MS = 150_000;
/** Begins the ids of single engines of the platform, and of engines that tenants have of their own. */
export const NODE_START = 'clickhouse@';
export const OWN_START = 'clickhouse-';

/** What all of a survey stands on: the edges of the last hour by component, the settings, the jobs that wait. */
interface Surveyed {
  readonly configs: readonly StoredConfig[];
  readonly edges: ReadonlyMap<string, readonly ComponentMinute[]>;
  readonly waitingJobs: number;
  readonly nowMs: number;
}

const figure = z.number().nullable().catch(null);
const detailsSchema = z
  .object({
    ...{ cpu_pct: figure, mem_pct: figure, mem_bytes: figure, disk_pct: figure, disk_free_bytes: figure },
    ...{ eps_in: figure, eps_out: figure, queue: figure, queue_bytes: figure },
    address: z.string().nullable().catch(null),
    /** As `storedText` writes it. */
    notice: z.string().nullable().catch(null),
  })
  .partial()
  .catch({});

/** The settings of a component for the platform. */
export function configOf(
  configs: readonly StoredConfig[],
  component: string,
  clusterId = '',
): ComponentConfig {
  const found = configs.find((one) => one.cluster_id === clusterId && one.component === component);
  if (!found) return DEFAULT_CONFIG;
  const { cluster_id: _, component: __, told_state: ___, ...config } = found;
  return config;
}

/** Which limits the figures are over, in words; empty when none. */
function overLimits(metrics: ComponentItem['metrics'], config: ComponentConfig): readonly ServerMessage[] {
  const checks = [
    ['components.cpuOver', metrics.cpu_pct, config.cpu_limit],
    ['components.memoryOver', metrics.mem_pct, config.memory_limit],
    ['components.diskOver', metrics.disk_pct, config.disk_limit],
  ] as const;
  return checks.flatMap(([code, value, limit]) =>
    value !== null && value >= limit ? [say(code, { value, limit })] : [],
  );
}

/** Why a component is not active, as its record tells it. */
export function detailOf(said: MessageValue) {
  if (typeof said !== 'object') return { detail: String(said) };
  const { message: detail, ...code } = codedText(said);
  return { detail, ...code };
}

type RoleRow = Awaited<ReturnType<Platform['components']['list']>>[number];

/** A role as it is listed; `id`: stable over restarts. */
interface ListedRole {
  readonly id: string;
  readonly row: RoleRow;
}

const isRunning = (row: RoleRow): boolean => row.state === 'running';

/** The processes of a role on a host: the newest that runs, else the latest; others that run have their own id besides. */
function listedRoles(rows: readonly RoleRow[]): readonly ListedRole[] {
  const byId = new Map<string, RoleRow[]>();
  for (const row of rows) {
    const id = `${row.role}@${row.host}`;
    byId.set(id, [...(byId.get(id) ?? []), row]);
  }
  return [...byId].flatMap(([id, all]) => {
    const [first, ...others] = all.sort(
      (a, b) => Number(isRunning(b)) - Number(isRunning(a)) || b.startedMs - a.startedMs,
    );
    const beside = others.filter((row) => isRunning(row) && row.processId !== first?.processId);
    return [
      ...(first ? [{ id, row: first }] : []),
      ...beside.map((row) => ({ id: `${id}:${row.processId}`, row })),
    ];
  });
}

/** What a role says of itself; of one that is not heard what lies on its disk, for it is there still. */
function roleMetrics(row: RoleRow, { edges, waitingJobs }: Surveyed): ComponentItem['metrics'] {
  const { address: _, notice: __, ...said } = detailsSchema.parse(row.details);
  const { queue = null, queue_bytes = null } = said;
  if (!isRunning(row)) return { ...NO_METRICS, queue, queue_bytes };
  const waiting = row.role === 'worker' ? { queue: waitingJobs } : {};
  const dropped = droppedWithin(edges.get(row.id) ?? [], row.startedMs);
  const taken = row.role === 'ingest' ? { dropped, disk_used_bytes: queue_bytes } : {};
  return { ...NO_METRICS, ...said, ...waiting, ...taken };
}

function roleItem({ id, row }: ListedRole, surveyed: Surveyed): ComponentItem {
  const { configs } = surveyed;
  const details = detailsSchema.parse(row.details);
  const metrics = roleMetrics(row, surveyed);
  const config = configOf(configs, id);
  const over = isRunning(row) ? overLimits(metrics, config) : [];
  const said = details.notice ? [...over, sayAgain(readStoredText(details.notice))] : over;
  const why = {
    running: sayAll(said),
    silent: say('components.silent'),
    stopped: say('components.stopped'),
  };
  return {
    id,
    type: row.role === 'ingest' ? 'adapter' : 'core',
    kind: row.role,
    name: config.display_name || row.role,
    cluster_id: null,
    cluster_name: null,
    hostname: row.host,
    local_address: details.address ?? null,
    version: row.version,
    state: row.state !== 'running' ? 'down' : over.length > 0 ? 'degraded' : 'active',
    ...detailOf(why[row.state]),
    last_seen: row.heartbeatMs,
    started: row.startedMs,
    metrics,
  };
}

const ENGINE_STATES = { up: 'active', starting: 'degraded', down: 'down' } as const;

const engineFailed = (reason: MessageValue) => say('engines.failed', { reason });

/** Why an engine is not up: what was last heard of it, in its own words. */
function engineDetail({ state, lastError }: ReturnType<Platform['engineHealth']>[number]): MessageValue {
  if (state === 'up') return '';
  return lastError ? engineFailed(lastError) : say(`components.${state}`);
}

/** What is known of an engine from its samples; of one that is not heard nothing but when it was. */
function sampledEngine(samples: readonly ComponentMinute[], nowMs: number) {
  const last = samples.filter(({ figures }) => figures.silent !== 1).at(-1);
  if (last === undefined) return { version: null, last_seen: null, started: null, metrics: NO_METRICS };
  const isHeard = last === samples.at(-1) && nowMs - last.takenMs < HEARD_MS;
  const uptime = last.figures.uptime_s ?? null;
  const started = uptime === null ? null : last.takenMs - uptime * 1000;
  return {
    ...{ version: last.version || null, last_seen: last.takenMs, started },
    metrics: isHeard ? metricsOfEngine(samples, started) : NO_METRICS,
  };
}

/** The state of an engine that answers: degraded at its limits. */
function withLimits(item: ComponentItem, { configs }: Surveyed): ComponentItem {
  const over = item.state === 'active' ? overLimits(item.metrics, configOf(configs, item.id)) : [];
  return over.length === 0 ? item : { ...item, state: 'degraded', ...detailOf(sayAll(over)) };
}

function engineItem(engine: ReturnType<Platform['engineHealth']>[number], surveyed: Surveyed): ComponentItem {
  const samples = surveyed.edges.get(engine.name) ?? [];
  const item = {
    id: engine.name,
    type: 'datanode',
    kind: engine.name,
    name: configOf(surveyed.configs, engine.name).display_name || engine.name,
    cluster_id: null,
    cluster_name: null,
    hostname: null,
    local_address: null,
    state: ENGINE_STATES[engine.state],
    ...detailOf(engineDetail(engine)),
    ...sampledEngine(samples, surveyed.nowMs),
  } as const;
  return withLimits(engine.state === 'up' ? item : { ...item, metrics: NO_METRICS }, surveyed);
}

/** Engines of the shards of a cluster, one by one. */
function nodeItem(id: string, surveyed: Surveyed): ComponentItem {
  const samples = surveyed.edges.get(id) ?? [];
  const last = samples.at(-1);
  const isHeard = last !== undefined && surveyed.nowMs - last.takenMs < HEARD_MS;
  const state = !isHeard ? 'unknown' : last.figures.silent === 1 ? 'down' : 'active';
  return withLimits(
    {
      id,
      type: 'datanode',
      kind: 'clickhouse',
      name: configOf(surveyed.configs, id).display_name || id,
      ...{ cluster_id: null, cluster_name: null, hostname: id.slice(NODE_START.length), local_address: null },
      state,
      ...detailOf(state === 'active' ? '' : say(`components.${state}`)),
      ...sampledEngine(samples, surveyed.nowMs),
    },
    surveyed,
  );
}

async function ask(parts: PlatformParts, clusterId: string): Promise<string> {
  const { rows } = await parts.eventStore.rows(clusterId, {
    sql: 'SELECT version()',
    scopes: [],
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  return String(rows[0]?.[0] ?? '');
}

async function ownEngineItem(
  parts: PlatformParts,
  engine: OwnEngine,
  surveyed: Surveyed,
): Promise<ComponentItem> {
  const id = `${OWN_START}${engine.clusterId}`;
  const answer = await ask(parts, engine.clusterId).then(
    (version) => ({ version, state: 'active' as ComponentState, ...detailOf('') }),
    (error: unknown) => ({
      version: null,
      state: 'down' as ComponentState,
      metrics: NO_METRICS,
      ...detailOf(saidOf(error, engineFailed)),
    }),
  );
  return withLimits(
    {
      id,
      type: 'datanode',
      kind: 'clickhouse',
      name: configOf(surveyed.configs, id).display_name || `clickhouse (${engine.clusterName})`,
      cluster_id: engine.clusterId,
      cluster_name: engine.clusterName,
      hostname: new URL(engine.url).host,
      local_address: null,
      ...sampledEngine(surveyed.edges.get(id) ?? [], surveyed.nowMs),
      ...answer,
    },
    surveyed,
  );
}

/** The shards of the platform's ClickHouse that have samples, `clickhouse@host:port`. */
const nodesOf = (edges: Surveyed['edges']): readonly string[] =>
  [...edges.keys()].filter((key) => key.startsWith(NODE_START));

async function surveyed(parts: PlatformParts, configs: readonly StoredConfig[]): Promise<Surveyed> {
  const nowMs = parts.clock.now();
  const [edges, waitingJobs] = await Promise.all([
    edgeMinutes(parts.postgres.platform, nowMs - HOUR_MS),
    countWaitingJobs(parts.postgres),
  ]);
  return { configs, edges, waitingJobs, nowMs };
}

/** The last hour of a listed component by minute, oldest first. */
export async function minutesOfComponent(parts: PlatformParts, id: string): Promise<ComponentMinute[]> {
  const db = parts.postgres.platform;
  const sinceMs = parts.clock.now() - HOUR_MS;
  const role = listedRoles(await parts.components.list()).find((one) => one.id === id);
  const samples = await minutesOf(db, role?.row.id ?? id, sinceMs);
  return samples.filter(({ figures }) => figures.silent !== 1);
}

/** Every component of the platform, with the engines that tenants have of their own. */
export async function surveyComponents(
  parts: PlatformParts,
  own: readonly OwnEngine[],
  configs: readonly StoredConfig[],
): Promise<ComponentItem[]> {
  const known = await surveyed(parts, configs);
  const roles = listedRoles(await parts.components.list());
  const engines = await Promise.all(own.map((engine) => ownEngineItem(parts, engine, known)));
  return [
    ...roles.map((role) => roleItem(role, known)),
    ...parts.engineHealth().map((engine) => engineItem(engine, known)),
    ...nodesOf(known.edges).map((id) => nodeItem(id, known)),
    ...engines,
  ];
}
