import {
  type ComponentConfig,
  type ComponentItem,
  englishOf,
  type OutputOf,
  type readComponent,
  say,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { AdministrationDb } from '../identity/tenants/administration-tables.ts';
import type { Actor } from '../identity/tenants/scope-service.ts';
import type { MailService } from '../mail/mail-service.ts';
import {
  claimState,
  deleteRole,
  type StoredConfig,
  selectConfigs,
  upsertConfig,
} from './component-config-store.ts';
import { minuteItems, NO_METRICS } from './component-figures.ts';
import { componentMail } from './component-mail.ts';
import {
  configOf,
  detailOf,
  minutesOfComponent,
  type OwnEngine,
  surveyComponents,
} from './component-survey.ts';
import { writeEngineMinutes } from './engine-minutes.ts';

// Components for root and for tenant administrators, and the mails about them. A tenant sees what takes its events
// in, keeps them and works on them; the machines of the platform are nothing that it learns.

type ComponentDetail = OutputOf<typeof readComponent>;

export interface ComponentService {
  /** All of them; those of a tenant when it is named. */
  list(clusterId: string | null): Promise<ComponentItem[]>;
  read(clusterId: string | null, type: string, id: string): Promise<ComponentDetail>;
  save(
    actor: Actor,
    clusterId: string | null,
    component: { readonly type: string; readonly id: string },
    config: Partial<ComponentConfig>,
  ): Promise<void>;
  /** Takes a role that does not run any more off the list. */
  forget(actor: Actor, type: string, id: string): Promise<void>;
  /** Asks the engines how they are and keeps it by minute; answers of how many. */
  sampleEngines(signal?: AbortSignal): Promise<number>;
  /** Mails those who want to hear of a state that changed; answers how many mails went. */
  tell(): Promise<number>;
}

export interface ComponentDeps {
  readonly platform: Platform;
  readonly db: AdministrationDb;
  readonly audit: AuditService;
  readonly mail: MailService;
  /** Whether mails about components are switched on, for a cluster or the platform. */
  readonly mayMail: (clusterId: string | null) => Promise<boolean>;
}

const SILENT_MS = 60_000;

/** A component of the platform as a tenant may see it: that it works, not where. */
function forTenant(item: ComponentItem): ComponentItem {
  if (item.cluster_id !== null) return item;
  const { messageCode: _code, messageValues: _values, ...plain } = item;
  return {
    ...plain,
    id: item.kind,
    hostname: null,
    local_address: null,
    ...detailOf(item.state === 'active' ? '' : say(`components.${item.state}`)),
    // What others send and lose is none of its business: of the platform's figures it sees how many batches wait.
    metrics: { ...NO_METRICS, queue: item.type === 'adapter' ? item.metrics.queue : null },
  };
}

/** One line per kind, in the best state of its kind: work goes on while one of them runs. */
function bestOfKind(items: readonly ComponentItem[]): ComponentItem[] {
  const rank = { active: 3, degraded: 2, unknown: 1, down: 0 };
  const byKind = new Map<string, ComponentItem>();
  for (const item of items) {
    const known = byKind.get(item.id);
    if (!known || rank[item.state] > rank[known.state]) byKind.set(item.id, item);
  }
  return [...byKind.values()];
}

interface ComponentServiceParts extends ComponentDeps {
  readonly clock: Clock;
  readonly eventStore: EventStore;
  readonly log: Logger;
}

export function createComponentService(deps: ComponentDeps): ComponentService {
  const { platform } = deps;
  const { eventStore, clock, log } = platform;
  const parts: ComponentServiceParts = { ...deps, clock, eventStore, log };
  return {
    ...bindDeps(parts, { list, read, save, forget, tell }),
    sampleEngines: async (signal) => writeEngineMinutes(platform, await ownEngines(parts, null), signal),
  };
}

async function ownEngines(parts: ComponentServiceParts, clusterId: string | null): Promise<OwnEngine[]> {
  const { rows } = await sql<OwnEngine>`
      select e.cluster_id as "clusterId", t.cluster_name as "clusterName", e.url
      from tenant_engine e join tenant t using (cluster_id)
      where ${clusterId}::text is null or e.cluster_id = ${clusterId}
      order by lower(t.cluster_name)`.execute(parts.db);
  return rows;
}

/** Events a second that came into the tenant during the last five whole minutes. */
async function eventsPerSecond(parts: ComponentServiceParts, clusterId: string): Promise<number | null> {
  const asked = {
    sql: `SELECT sum(Events) / 300 FROM event_figures
        WHERE IngestedMinute >= toDateTime({end:UInt32} - 300, 'UTC') AND IngestedMinute < toDateTime({end:UInt32}, 'UTC')`,
    params: { end: Math.floor(parts.clock.now() / 60_000) * 60 },
    scopes: 'all' as const,
    signal: AbortSignal.timeout(SILENT_MS / 20),
  };
  const answer = await parts.eventStore.rows(clusterId, asked).catch(() => null);
  return answer ? Number(answer.rows[0]?.[0] ?? 0) : null;
}

async function listWith(
  parts: ComponentServiceParts,
  configs: readonly StoredConfig[],
  clusterId: string | null,
) {
  const own = await ownEngines(parts, clusterId);
  const all = await surveyComponents(parts.platform, own, configs);
  if (clusterId === null) return all;
  const eps_in = await eventsPerSecond(parts, clusterId);
  // The tenant's records stand in PostgreSQL; its events on its own engine if it has one.
  const isUsed = (item: ComponentItem) =>
    item.id !== 'clickhouse' || item.cluster_id !== null || own.length === 0;
  return bestOfKind(all.filter(isUsed).map(forTenant)).map((item) =>
    item.type === 'adapter' ? { ...item, metrics: { ...item.metrics, eps_in } } : item,
  );
}

async function find(parts: ComponentServiceParts, clusterId: string | null, type: string, id: string) {
  const configs = await selectConfigs(parts.db);
  const item = (await listWith(parts, configs, clusterId)).find((one) => one.id === id && one.type === type);
  if (!item) throw notFound();
  return { item, config: configOf(configs, id, clusterId ?? '') };
}

async function tellOne(
  parts: ComponentServiceParts,
  item: ComponentItem,
  config: StoredConfig,
): Promise<number> {
  if (!(await claimState(parts.db, config.cluster_id, config.component, item.state))) return 0;
  const event = item.state === 'unknown' ? 'down' : item.state;
  if (!config.events.includes(event)) return 0;
  if (!(await parts.mayMail(config.cluster_id || null))) return 0;
  const outcomes = await Promise.allSettled(
    config.emails.map((to) =>
      parts.mail
        .localeOf(to)
        .then((locale) => parts.mail.send({ to, ...componentMail(item, locale ?? 'en-US') })),
    ),
  );
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      parts.log.warn(
        { component: item.id, err: String(outcome.reason) },
        'a mail about a component was not sent',
      );
    }
  }
  return outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
}

/** What root is told of an engine of the platform. */
function engineFacts(parts: ComponentServiceParts, id: string): { name: string; value: string }[] {
  const engine = parts.platform.engineHealth().find((one) => one.name === id);
  if (!engine) return [];
  return [
    { name: 'restarts', value: String(engine.restarts) },
    { name: 'last_error', value: englishOf(engine.lastError ?? '') },
  ];
}

async function list(parts: ComponentServiceParts, clusterId: string | null): Promise<ComponentItem[]> {
  return listWith(parts, await selectConfigs(parts.db), clusterId);
}

async function read(
  parts: ComponentServiceParts,
  clusterId: string | null,
  type: string,
  id: string,
): Promise<ComponentDetail> {
  const { item, config } = await find(parts, clusterId, type, id);
  return {
    ...item,
    config,
    mail_is_set_up: await parts.mail.isSetUp(),
    // Of the platform's components a tenant learns no history; the engine of its own is its own.
    minutes:
      clusterId === null || item.cluster_id === clusterId
        ? minuteItems(await minutesOfComponent(parts.platform, id))
        : [],
    services: [
      { name: 'kind', value: item.kind },
      ...(item.version === null ? [] : [{ name: 'version', value: item.version }]),
      ...(clusterId === null ? engineFacts(parts, id) : []),
    ],
  };
}

async function save(
  parts: ComponentServiceParts,
  actor: Actor,
  clusterId: string | null,
  { type, id }: { readonly type: string; readonly id: string },
  config: Partial<ComponentConfig>,
): Promise<void> {
  const found = await find(parts, clusterId, type, id);
  const tenant = clusterId === null ? {} : { clusterId };
  await parts.db.transaction().execute(async (trx) => {
    await upsertConfig(trx, clusterId ?? '', id, { ...found.config, ...config });
    const act = { action: 'component.save', who: actor.caller, source: actor.source, ...tenant };
    await parts.audit.record({ ...act, entity: id, details: config }, trx);
  });
}

async function forget(parts: ComponentServiceParts, actor: Actor, type: string, id: string): Promise<void> {
  const { item } = await find(parts, null, type, id);
  const { hostname, kind } = item;
  await parts.db.transaction().execute(async (trx) => {
    const isGone =
      hostname !== null && (await deleteRole(trx, kind, hostname, parts.clock.now() - SILENT_MS));
    if (!isGone) throw new AppError('conflict', say('engines.componentRunning'));
    const { caller: who, source } = actor;
    await parts.audit.record({ action: 'component.forget', who, source, entity: id }, trx);
  });
}

async function tell(parts: ComponentServiceParts): Promise<number> {
  const configs = await selectConfigs(parts.db);
  const wanted = configs.filter((config) => config.emails.length > 0 && config.events.length > 0);
  let sent = 0;
  for (const clusterId of new Set(wanted.map((config) => config.cluster_id))) {
    const items = await listWith(parts, configs, clusterId || null);
    for (const config of wanted.filter((one) => one.cluster_id === clusterId)) {
      const item = items.find((one) => one.id === config.component);
      if (item) sent += await tellOne(parts, item, config);
    }
  }
  return sent;
}
