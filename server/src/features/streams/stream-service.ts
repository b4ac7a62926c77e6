import {
  type checkStreamImpact,
  type DropRule,
  type listStreams,
  type ManagedStream,
  type OutputOf,
  type StreamConfig,
  type saveDropRule,
  say,
  sayOfField,
  type streamAnalytics,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { AuditRecorder } from '../../platform/audit-recorder.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { StreamNames } from '../../platform/stream-names.ts';
import type { RuleDefinitions } from '../detections/rule-definition.ts';
import type { RuleRuns } from '../detections/rule-runs.ts';
import type { KnownRule, KnownRules } from '../rule-health/known-rules.ts';
import { asDropRule, deleteDropRule, insertDropRule, selectDropRules } from './drop-rules.ts';
import { rulesThatGoBlind } from './filter-impact.ts';
import {
  eventsSince,
  figuresOfStream,
  type StreamVolume,
  storedBytesOfTenant,
  streamVolumes,
} from './stream-figures.ts';

// Streams of a scope: volume, readers, retention, what is not stored, and what a change would blind.

const DAY_MS = 86_400_000;

type Change = z.output<typeof checkStreamImpact.input>['change'];

interface Actor {
  readonly caller: Caller;
  readonly address: string;
}

export interface StreamService {
  list(
    scope: ScopeRef,
    searchType: z.output<typeof listStreams.input>['search_type'],
  ): Promise<OutputOf<typeof listStreams>>;
  analytics(scope: ScopeRef, stream: string, days: number): Promise<OutputOf<typeof streamAnalytics>>;
  impact(scope: ScopeRef, change: Change): Promise<OutputOf<typeof checkStreamImpact>>;
  dropRules(scope: ScopeRef): Promise<DropRule[]>;
  /** Throws AppError `bad-input` for an unknown stream or source, `conflict` for what is dropped already. */
  drop(
    scope: ScopeRef,
    rule: Pick<z.output<typeof saveDropRule.input>, 'stream' | 'source_id' | 'reason'>,
    by: Actor,
  ): Promise<{ rule_id: string }>;
  storeAgain(scope: ScopeRef, ruleId: string, by: Actor): Promise<void>;
}

export interface StreamDeps {
  readonly postgres: Postgres;
  readonly events: Pick<EventStore, 'rows' | 'diskBytes'>;
  readonly clock: Clock;
  readonly audit: AuditRecorder;
  readonly knownRules: KnownRules;
  readonly runs: Pick<RuleRuns, 'inScope'>;
  readonly definitions: RuleDefinitions;
  readonly streamNames: StreamNames;
  readonly retention: {
    list(clusterId: string, scopeId: string | null): Promise<StreamConfig[]>;
    /** What would be deleted if a stream were kept for so many days. */
    preview(
      clusterId: string,
      scopeId: string,
      change: { readonly stream: string; readonly retention_days: number | null },
    ): Promise<{ readonly events: number; readonly bytes: number }>;
  };
  /** Names of the sources of a scope by id. */
  readonly sourceNames: (scope: ScopeRef) => Promise<ReadonlyMap<string, string>>;
}

export function createStreamService(deps: StreamDeps): StreamService {
  return bindDeps(deps, { list, analytics, impact, dropRules, drop, storeAgain });
}

/** The rules of a scope by their content, with whether they are on. */
async function rulesOf({ knownRules, runs, clock }: StreamDeps, { clusterId, scopeId }: ScopeRef) {
  const known = await knownRules(clusterId, scopeId);
  const { rules } = await runs.inScope(clusterId, scopeId, clock.now());
  const on = new Set(rules.flatMap(({ ID, isOn }) => (isOn ? [ID] : [])));
  return [...known].map(([ID, rule]) => ({ ID, isOn: on.has(ID), ...rule }));
}

const readsStream = ({ streams }: Pick<KnownRule, 'streams'>, stream: string): boolean =>
  streams === null || streams.includes('*') || streams.includes(stream);

function sinceOf(searchType: z.output<typeof listStreams.input>['search_type'], nowMs: number): number {
  if (searchType === 'historic') return 0;
  if (searchType === 'online') return nowMs - DAY_MS;
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
}

async function list(
  deps: StreamDeps,
  scope: ScopeRef,
  searchType: z.output<typeof listStreams.input>['search_type'],
): Promise<OutputOf<typeof listStreams>> {
  const { events, clock, retention } = deps;
  const nowMs = clock.now();
  const from = sinceOf(searchType, nowMs);
  const [volumes, ofTenant, disk, kept, rules] = await Promise.all([
    streamVolumes(events, scope, from),
    storedBytesOfTenant(events, scope.clusterId),
    events.diskBytes(scope.clusterId),
    retention.list(scope.clusterId, scope.scopeId),
    rulesOf(deps, scope),
  ]);
  const packed = ofTenant === 0 ? 0 : disk / ofTenant;
  const retentionOf = new Map(kept.map((line) => [line.stream, line]));
  const streams = volumes.map((volume) => {
    const line = retentionOf.get(volume.stream) ?? retentionOf.get('');
    const readers = rules.filter((rule) => readsStream(rule, volume.stream));
    return asStream(volume, { line, readers, packed, nowMs });
  });
  const wanted = streams.filter((one) => searchType !== 'online' || one.is_online);
  const sum = (pick: (one: ManagedStream) => number) => wanted.reduce((total, one) => total + pick(one), 0);
  return {
    from: searchType === 'historic' ? null : from,
    streams: wanted,
    totals: {
      events: sum((one) => one.events),
      raw_bytes: sum((one) => one.raw_bytes),
      enriched_bytes: sum((one) => one.enriched_bytes),
      disk_bytes: sum((one) => one.disk_bytes),
    },
  };
}

interface StreamFacts {
  readonly line: StreamConfig | undefined;
  readonly readers: Awaited<ReturnType<typeof rulesOf>>;
  /** What is left of a byte once it is packed. */
  readonly packed: number;
  readonly nowMs: number;
}

function asStream(
  { stream, events, rawBytes, storedBytes, lastMs }: StreamVolume,
  { line, readers, packed, nowMs }: StreamFacts,
): ManagedStream {
  const active = readers.filter((rule) => rule.isOn);
  return {
    stream,
    is_online: nowMs - lastMs <= DAY_MS,
    events,
    raw_bytes: rawBytes,
    enriched_bytes: storedBytes,
    disk_bytes: Math.round(storedBytes * packed),
    compression_pct: Math.round((1 - packed) * 1000) / 10,
    last_event: lastMs || null,
    streamed_wb: active.filter((rule) => rule.schedule.mode === 'streamed').length,
    scheduled_wb: active.filter((rule) => rule.schedule.mode === 'scheduled').length,
    active_wb: active.length,
    total_wb: readers.length,
    retention_days: line?.retention_days ?? null,
    retention_set_in: line?.set_in ?? 'default',
    replication: 1,
    compression: 'normal',
  };
}

function analytics(
  { events, clock }: StreamDeps,
  scope: ScopeRef,
  stream: string,
  days: number,
): Promise<OutputOf<typeof streamAnalytics>> {
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  return figuresOfStream(events, scope, stream, today - (days - 1) * DAY_MS);
}

async function impact(
  deps: StreamDeps,
  scope: ScopeRef,
  change: Change,
): Promise<OutputOf<typeof checkStreamImpact>> {
  const { events, clock, retention, sourceNames } = deps;
  const sourceId = change.kind === 'drop' ? change.source_id : undefined;
  const source = sourceId === undefined ? undefined : (await sourceNames(scope)).get(sourceId);
  if (sourceId !== undefined && source === undefined) throw notFound();
  const readers = (await rulesOf(deps, scope)).filter((rule) => readsStream(rule, change.stream));
  const fromMs = clock.now() - DAY_MS;
  const [lost, recent, rules] = await Promise.all([
    change.kind === 'retention'
      ? retention.preview(scope.clusterId, scope.scopeId, change)
      : { events: 0, bytes: 0 },
    eventsSince(events, scope, { stream: change.stream, source, fromMs }),
    rulesThatGoBlind(deps.definitions, scope, readers, change, clock.now()),
  ]);
  return {
    rules,
    events_to_delete: lost.events,
    bytes_to_delete: lost.bytes,
    events_24h: recent,
  };
}

async function dropRules({ postgres, sourceNames }: StreamDeps, scope: ScopeRef): Promise<DropRule[]> {
  const rows = await selectDropRules(postgres, scope);
  const names = await sourceNames(scope);
  return rows.map((row) => asDropRule(row, (id) => names.get(id)));
}

async function drop(
  { postgres, clock, audit, sourceNames, streamNames }: StreamDeps,
  scope: ScopeRef,
  { stream, source_id: sourceId = '', reason }: Parameters<StreamService['drop']>[1],
  { caller, address }: Actor,
): Promise<{ rule_id: string }> {
  if (!(await streamNames(scope.clusterId)).includes(stream))
    throw new AppError('bad-input', sayOfField('stream', say('tenants.noSuchStream', { stream })));
  if (sourceId !== '' && !(await sourceNames(scope)).has(sourceId)) throw notFound();
  const row = {
    ...{ rule_id: newId(), stream, source_id: sourceId, reason },
    ...{ created_by: caller.name, created_at: clock.now() },
  };
  const { clusterId, scopeId } = scope;
  const act = { action: 'stream.drop', who: caller, source: address, clusterId, scopeId, entity: stream };
  try {
    await insertDropRule(postgres, scope, row, (trx) =>
      audit.record({ ...act, details: { source_id: sourceId || null, reason } }, trx),
    );
  } catch (error) {
    if ((error as { code?: string }).code === '23505')
      throw new AppError('conflict', say('sources.alreadyDropped', { stream }));
    throw error;
  }
  return { rule_id: row.rule_id };
}

async function storeAgain(
  { postgres, audit }: StreamDeps,
  scope: ScopeRef,
  ruleId: string,
  { caller, address }: Actor,
): Promise<void> {
  const { clusterId, scopeId } = scope;
  const act = { action: 'stream.store', who: caller, source: address, clusterId, scopeId };
  const gone = await deleteDropRule(postgres, scope, ruleId, (trx, { stream }) =>
    audit.record({ ...act, entity: stream, details: { rule_id: ruleId } }, trx),
  );
  if (gone === null) throw notFound();
}
