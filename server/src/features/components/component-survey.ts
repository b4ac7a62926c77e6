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
import type { Platform } from '../../platform/platform.ts';
import { saidOf } from '../../platform/said-of-failure.ts';
import { DEFAULT_CONFIG, type StoredConfig } from './component-config-store.ts';

// How every component is now: roles by what they say of themselves, engines by how they answer. Limits of the
// platform decide from when on a component counts as degraded.

type PlatformParts = Pick<Platform, 'components' | 'engineHealth' | 'eventStore' | 'version'>;

/** A tenant with an engine of its own. */
export interface OwnEngine {
  readonly clusterId: string;
  readonly clusterName: string;
  readonly url: string;
}

const ANSWER_MS = 3_000;

const figure = z.number().nullable().catch(null);
const detailsSchema = z
  .object({
    cpu_pct: figure,
    mem_pct: figure,
    disk_pct: figure,
    queue: figure,
    dropped: figure,
    address: z.string().nullable().catch(null),
    /** As `storedText` writes it. */
    notice: z.string().nullable().catch(null),
  })
  .partial()
  .catch({});

const NO_METRICS: ComponentItem['metrics'] = {
  cpu_pct: null,
  mem_pct: null,
  disk_pct: null,
  eps_in: null,
  queue: null,
  dropped: null,
};

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

/** Of several processes with the same role on a host, the one that runs, else the latest. */
function newestOf(rows: readonly RoleRow[]): readonly RoleRow[] {
  const byId = new Map<string, RoleRow>();
  for (const row of rows) {
    const id = `${row.role}@${row.host}`;
    const known = byId.get(id);
    const rank = (one: RoleRow) => (one.state === 'running' ? 1 : 0);
    const isBetter =
      !known || rank(row) > rank(known) || (rank(row) === rank(known) && row.startedMs > known.startedMs);
    if (isBetter) byId.set(id, row);
  }
  return [...byId.values()];
}

function roleItem(row: RoleRow, configs: readonly StoredConfig[]): ComponentItem {
  const id = `${row.role}@${row.host}`;
  const details = detailsSchema.parse(row.details);
  const metrics = {
    ...NO_METRICS,
    cpu_pct: details.cpu_pct ?? null,
    mem_pct: details.mem_pct ?? null,
    disk_pct: details.disk_pct ?? null,
    queue: details.queue ?? null,
    dropped: details.dropped ?? null,
  };
  const config = configOf(configs, id);
  const over = row.state === 'running' ? overLimits(metrics, config) : [];
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

function engineItem(
  engine: ReturnType<Platform['engineHealth']>[number],
  configs: readonly StoredConfig[],
): ComponentItem {
  return {
    id: engine.name,
    type: 'datanode',
    kind: engine.name,
    name: configOf(configs, engine.name).display_name || engine.name,
    cluster_id: null,
    cluster_name: null,
    hostname: null,
    local_address: null,
    version: null,
    state: ENGINE_STATES[engine.state],
    ...detailOf(engineDetail(engine)),
    last_seen: null,
    started: null,
    metrics: NO_METRICS,
  };
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
  configs: readonly StoredConfig[],
): Promise<ComponentItem> {
  const id = `clickhouse-${engine.clusterId}`;
  const answer = await ask(parts, engine.clusterId).then(
    (version) => ({ version, state: 'active' as ComponentState, ...detailOf('') }),
    (error: unknown) => ({
      version: null,
      state: 'down' as ComponentState,
      ...detailOf(saidOf(error, engineFailed)),
    }),
  );
  return {
    id,
    type: 'datanode',
    kind: 'clickhouse',
    name: configOf(configs, id).display_name || `clickhouse (${engine.clusterName})`,
    cluster_id: engine.clusterId,
    cluster_name: engine.clusterName,
    hostname: new URL(engine.url).host,
    local_address: null,
    last_seen: null,
    started: null,
    metrics: NO_METRICS,
    ...answer,
  };
}

/** Every component of the platform, with the engines that tenants have of their own. */
export async function surveyComponents(
  parts: PlatformParts,
  own: readonly OwnEngine[],
  configs: readonly StoredConfig[],
): Promise<ComponentItem[]> {
  const roles = newestOf(await parts.components.list());
  const engines = await Promise.all(own.map((engine) => ownEngineItem(parts, engine, configs)));
  return [
    ...roles.map((row) => roleItem(row, configs)),
    ...parts.engineHealth().map((engine) => engineItem(engine, configs)),
    ...engines,
  ];
}
