import {
  type CollectedSource,
  type listCollection,
  type listUnparsed,
  type OutputOf,
  type readSourceAccount,
  say,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { AuditRecorder } from '../../platform/audit-recorder.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import { type AccountRow, createAccountStore, type RejectionSum } from './account-store.ts';
import { imbalanceOf } from './account-sums.ts';
import { type CollectedFigures, collectedFigures, storedOf } from './collected-figures.ts';
import {
  type CollectionEdit,
  type CollectionRow,
  deleteSource,
  type SourceRef,
  selectCollection,
  updateCollection,
} from './collection-store.ts';
import { lastUnparsed } from './last-unparsed.ts';

// Collection status: sources as they are configured, their accounts, and what became of their events, put together.

const HOUR_MS = 3_600_000;
const SPAN_MS = { minute: 60_000, hour: HOUR_MS, day: 24 * HOUR_MS } as const;
const USUAL_SILENCE_S = 3_600;

export interface CollectionService {
  list(
    scope: ScopeRef,
    asked: Pick<z.output<typeof listCollection.input>, 'pageno' | 'pagesize' | 'text' | 'status'>,
  ): Promise<Omit<OutputOf<typeof listCollection>, 'spool' | 'lost_datagrams'>>;
  account(
    source: SourceRef,
    asked: Pick<z.output<typeof readSourceAccount.input>, 'span' | 'count'>,
  ): Promise<OutputOf<typeof readSourceAccount>>;
  /** Throws AppError `not-found`. */
  edit(source: SourceRef, change: CollectionEdit, by: Actor): Promise<void>;
  /** Throws AppError `conflict` while the source is active. */
  remove(source: SourceRef, by: Actor): Promise<void>;
  unparsed(scope: ScopeRef, name: string, count: number): Promise<OutputOf<typeof listUnparsed>>;
}

interface Actor {
  readonly caller: Caller;
  readonly address: string;
}

export interface CollectionDeps {
  readonly postgres: Postgres;
  readonly events: Pick<EventStore, 'rows'>;
  readonly clock: Clock;
  readonly audit: AuditRecorder;
}

interface CollectionParts extends CollectionDeps {
  readonly accounts: ReturnType<typeof createAccountStore>;
}

export function createCollectionService(deps: CollectionDeps): CollectionService {
  const parts: CollectionParts = { ...deps, accounts: createAccountStore(deps.postgres) };
  return bindDeps(parts, { list, account, edit, remove, unparsed });
}

const silenceOf = (row: CollectionRow): number =>
  row.silence_set_s ?? row.silence_learned_s ?? USUAL_SILENCE_S;

function isActive(row: CollectionRow, lastMs: number | null, nowMs: number): boolean {
  if (row.revoked_at !== null || lastMs === null) return false;
  const silence = silenceOf(row);
  return silence === 0 || nowMs - lastMs <= silence * 1000;
}

const EMPTY = { events24h: 0, unparsed24h: 0, extractors: [], streams: [], hours: new Array(24).fill(0) };
const NO_ACCOUNT = { accepted: 0, stored: 0, spooled: 0, rejected: 0 };

function asSource(
  row: CollectionRow,
  figures: CollectedFigures | undefined,
  account: AccountRow | undefined,
  reasons: readonly RejectionSum[],
  nowMs: number,
): CollectedSource {
  const { events24h, unparsed24h, extractors, streams, hours } = figures ?? EMPTY;
  const { accepted, stored, spooled, rejected } = account ?? NO_ACCOUNT;
  const lastMs = Math.max(figures?.lastMs ?? 0, row.last_sent_at ?? 0) || null;
  const token = row.token_prefix === null ? [] : [`${row.token_prefix}…`];
  return {
    source_id: row.source_id,
    source: row.source_name,
    kind: row.kind,
    proofs: [...(row.networks ?? []), ...(row.certificates ?? []), ...token],
    description: row.description,
    extractors: [...extractors],
    streams: [...streams],
    status: isActive(row, lastMs, nowMs) ? 'active' : 'inactive',
    is_revoked: row.revoked_at !== null,
    notice: row.notice,
    last_event: lastMs,
    events_24h: events24h,
    hours: [...hours],
    unparsed_24h: unparsed24h,
    accepted_24h: accepted,
    stored_24h: stored,
    spooled_24h: spooled,
    rejected_24h: rejected,
    reasons: reasons.map(({ reason, value }) => ({ reason, count: value })),
    silence_s: silenceOf(row),
    silence_learned_s: row.silence_learned_s,
    silence_set_s: row.silence_set_s,
    silent_since: row.silent_since,
    volume: row.volume_state,
    created: row.created_at,
    created_by: row.created_by,
  };
}

/** A name that senders give to their events, or that a source had before. */
function asNamed(figures: CollectedFigures, nowMs: number): CollectedSource {
  const { name, lastMs, events24h, unparsed24h, extractors, streams, hours } = figures;
  return {
    source_id: null,
    source: name,
    kind: 'named',
    proofs: [],
    description: '',
    extractors: [...extractors],
    streams: [...streams],
    status: nowMs - lastMs <= USUAL_SILENCE_S * 1000 ? 'active' : 'inactive',
    is_revoked: false,
    notice: null,
    last_event: lastMs,
    events_24h: events24h,
    hours: [...hours],
    unparsed_24h: unparsed24h,
    accepted_24h: 0,
    stored_24h: 0,
    spooled_24h: 0,
    rejected_24h: 0,
    reasons: [],
    silence_s: USUAL_SILENCE_S,
    silence_learned_s: null,
    silence_set_s: null,
    silent_since: null,
    volume: 'usual',
    created: null,
    created_by: null,
  };
}

const sumOf = <T>(all: readonly T[], pick: (one: T) => number): number =>
  all.reduce((sum, one) => sum + pick(one), 0);

/** Of two sources of one name, one of them revoked, the events count for the one that goes on. */
function figuresByRow(
  rows: readonly CollectionRow[],
  figures: readonly CollectedFigures[],
): { of: ReadonlyMap<string, CollectedFigures>; rest: readonly CollectedFigures[] } {
  const owner = new Map<string, CollectionRow>();
  for (const row of rows) {
    const known = owner.get(row.source_name);
    if (!known || known.revoked_at !== null) owner.set(row.source_name, row);
  }
  const of = new Map<string, CollectedFigures>();
  const rest: CollectedFigures[] = [];
  for (const one of figures) {
    const row = owner.get(one.name);
    if (row) of.set(row.source_id, one);
    else rest.push(one);
  }
  return { of, rest };
}

async function list(
  { postgres, events, clock, accounts }: CollectionParts,
  scope: ScopeRef,
  { pageno, pagesize, text, status }: Parameters<CollectionService['list']>[1],
): ReturnType<CollectionService['list']> {
  const nowMs = clock.now();
  const from = Math.floor(nowMs / HOUR_MS) * HOUR_MS - 23 * HOUR_MS;
  const [rows, figures, sums, reasons] = await Promise.all([
    selectCollection(postgres, scope),
    collectedFigures(events, scope, nowMs),
    accounts.sums(scope, 'hour', from),
    accounts.reasons(scope, 'hour', from),
  ]);
  const { of, rest } = figuresByRow(rows, figures);
  const accountOf = new Map(sums.map((sum) => [sum.source_id, sum]));
  const all = [
    ...rows.map((row) => {
      const own = reasons.filter((one) => one.source_id === row.source_id);
      return asSource(row, of.get(row.source_id), accountOf.get(row.source_id), own, nowMs);
    }),
    ...rest.map((one) => asNamed(one, nowMs)),
  ];
  const wanted = text.trim().toLowerCase();
  const isFound = (one: CollectedSource) =>
    [one.source, one.description, ...one.proofs, ...one.streams, ...one.extractors].some((word) =>
      word.toLowerCase().includes(wanted),
    );
  const found = all.filter((one) => (status === undefined || one.status === status) && isFound(one));
  const active = all.filter((one) => one.status === 'active').length;
  return {
    data: found.slice((pageno - 1) * pagesize, pageno * pagesize),
    total_count: found.length,
    totals: {
      active,
      inactive: all.length - active,
      events_24h: sumOf(all, (one) => one.events_24h),
      unparsed_24h: sumOf(all, (one) => one.unparsed_24h),
      rejected_24h: sumOf(all, (one) => one.rejected_24h),
      imbalance: sumOf(sums, imbalanceOf),
    },
  };
}

async function oneOf({ postgres }: CollectionParts, source: SourceRef): Promise<CollectionRow> {
  const [row] = await selectCollection(postgres, source, source.sourceId);
  if (!row) throw notFound();
  return row;
}

async function account(
  parts: CollectionParts,
  source: SourceRef,
  { span, count }: Parameters<CollectionService['account']>[1],
): Promise<OutputOf<typeof readSourceAccount>> {
  const { accounts, clock, events } = parts;
  const row = await oneOf(parts, source);
  const from = Math.floor(clock.now() / SPAN_MS[span]) * SPAN_MS[span] - (count - 1) * SPAN_MS[span];
  const [lines, reasons, inStore] = await Promise.all([
    accounts.rows(source, span, from),
    accounts.reasons(source, span, from, source.sourceId),
    storedOf(events, source, row.source_name, from).catch(() => null),
  ]);
  const rows = lines.map(({ source_id: _, from: time, ...sums }) => ({
    time,
    ...sums,
    imbalance: imbalanceOf(sums),
  }));
  return {
    from,
    rows,
    reasons: reasons.map(({ reason, value }) => ({ reason, count: value })),
    imbalance: sumOf(rows, (line) => line.imbalance),
    in_store: inStore,
  };
}

async function edit(
  { postgres, audit }: CollectionParts,
  source: SourceRef,
  change: CollectionEdit,
  { caller, address }: Actor,
): Promise<void> {
  const { clusterId, scopeId, sourceId } = source;
  const act = { action: 'source.edit', who: caller, source: address, clusterId, scopeId, entity: sourceId };
  const isThere = await updateCollection(postgres, source, change, (trx) =>
    audit.record({ ...act, details: { ...change } }, trx),
  );
  if (!isThere) throw notFound();
}

async function remove(parts: CollectionParts, source: SourceRef, by: Actor): Promise<void> {
  const { postgres, audit, clock } = parts;
  const row = await oneOf(parts, source);
  if (isActive(row, row.last_sent_at, clock.now()))
    throw new AppError('conflict', say('sources.stillActive', { name: row.source_name }));
  const { clusterId, scopeId, sourceId } = source;
  const act = { action: 'source.delete', who: by.caller, source: by.address, clusterId, scopeId };
  const details = { name: row.source_name, kind: row.kind };
  const isGone = await deleteSource(postgres, source, (trx) =>
    audit.record({ ...act, entity: sourceId, details }, trx),
  );
  if (!isGone) throw notFound();
}

function unparsed(
  { events, clock }: CollectionParts,
  scope: ScopeRef,
  name: string,
  count: number,
): Promise<OutputOf<typeof listUnparsed>> {
  return lastUnparsed(events, scope, { name, count, fromMs: clock.now() - 48 * HOUR_MS });
}
