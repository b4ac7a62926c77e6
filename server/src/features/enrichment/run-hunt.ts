import { HUNT_LIMITS, type IndicatorFind, say, storedText } from '@tyrian/contract';
import { indicatorText, type KeyEntry, KeyTable, prefixesOf } from '@tyrian/ingest';
import { z } from 'zod';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Job, type JobCall, type JobRequestForm, UNTIL_DONE } from '../../platform/jobs/job.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { imageOf } from './enrichment-store.ts';
import { findInPiece, type PieceFind } from './hunt-piece.ts';
import { addFinds, beginHunt, countFinds, endHunt, findHunt, type HuntKey, markCut } from './hunt-store.ts';
import { entriesOf } from './pack-content.ts';

// The job of a hunt: day by day, from the newest to the oldest. What a day holds is written together with the mark that
// it has been looked at, so that a job that runs twice counts nothing twice and goes on where the other one stopped.

export const huntRequest = {
  kind: 'indicator-hunt',
  payload: z.object({ scopeId: z.string(), huntId: z.string() }),
  slotsPerTenant: 1,
  retry: UNTIL_DONE,
} as const satisfies JobRequestForm<{ scopeId: string; huntId: string }>;

interface HuntDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly events: EventStore;
}

const DAY_MS = 86_400_000;

export function huntJob(deps: HuntDeps): Job<z.output<typeof huntRequest.payload>> {
  return {
    ...huntRequest,
    run: (payload, call) => runHunt(deps, { clusterId: call.clusterId ?? '', ...payload }, call),
  };
}

interface Sought {
  readonly entries: readonly KeyEntry[];
  readonly table: KeyTable;
}

/** The indicators of the list that have not expired. */
function soughtIn(image: Uint8Array, nowMs: number): Sought {
  const entries = [...entriesOf(image)].filter(({ value }) => {
    const { until } = JSON.parse(value) as { readonly until?: number };
    return until === undefined || until > nowMs;
  });
  return { entries, table: new KeyTable(image) };
}

/** Puts the keys where the queries of the hunt read them; doing so again changes nothing. */
async function putKeys({ events }: HuntDeps, key: HuntKey, entries: readonly KeyEntry[]): Promise<void> {
  const lines = entries.map((entry) =>
    JSON.stringify({ Scope: key.scopeId, HuntId: key.huntId, Kind: entry.kind, Key: entry.key }),
  );
  for (let at = 0; at < lines.length; at += 50_000) {
    const body = Buffer.from(`${lines.slice(at, at + 50_000).join('\n')}\n`);
    await events.insertRows(key.clusterId, body, {
      dedupToken: `hunt ${key.huntId} ${at}`,
      table: 'indicator_sets',
    });
  }
}

function findOf({ table }: Sought, found: PieceFind): IndicatorFind[] {
  const entry = table.find(found.kind as Parameters<KeyTable['find']>[0], found.key);
  if (entry < 0) return [];
  const value = table.valueOf<{ type: string; confidence: number; label?: string }>(entry);
  return [
    {
      indicator: indicatorText(found.key, value),
      field: found.field,
      value: found.value.slice(0, 1_000),
      category: value.label ?? '',
      confidence: value.confidence,
      ...{ events: found.events, first: found.firstMs, last: found.lastMs },
    },
  ];
}

/** Of equal values one, with the events of both: what was cut may have become equal. */
function merged(finds: readonly IndicatorFind[]): IndicatorFind[] {
  const byKey = new Map<string, IndicatorFind>();
  for (const find of finds) {
    const key = `${find.indicator}\n${find.field}\n${find.value}`;
    const known = byKey.get(key);
    byKey.set(
      key,
      known
        ? {
            ...known,
            events: known.events + find.events,
            first: Math.min(known.first, find.first),
            last: Math.max(known.last, find.last),
          }
        : find,
    );
  }
  return [...byKey.values()];
}

async function runHunt(deps: HuntDeps, key: HuntKey, call: JobCall): Promise<number> {
  const { postgres, clock, events } = deps;
  const inTenant = <T>(work: (trx: TenantTransaction) => Promise<T>) =>
    postgres.inTenant(key.clusterId, work);
  const hunt = await inTenant((trx) => findHunt(trx, key));
  if (!hunt || hunt.ended !== null) return 0;
  const image = await inTenant((trx) => imageOf(trx, key, hunt.table_id));
  if (image === null) {
    const error = storedText(say('enrichment.listGone'));
    await inTenant((trx) => endHunt(trx, key, 'failed', clock.now(), error));
    return 0;
  }
  const sought = soughtIn(image, clock.now());
  if (!(await inTenant((trx) => beginHunt(trx, key, sought.entries.length)))) return 0;
  await putKeys(deps, key, sought.entries);
  const kinds = new Set<number>(sought.entries.map(({ kind }) => kind));
  const prefixes = prefixesOf(sought.entries);
  const days = Math.ceil((hunt.to - hunt.from) / DAY_MS);
  for (let to = hunt.covered; to > hunt.from; ) {
    call.signal.throwIfAborted();
    const from = Math.max(hunt.from, to - DAY_MS);
    const most = HUNT_LIMITS.finds - (await inTenant((trx) => countFinds(trx, key)));
    if (most <= 0) {
      // What is older was not looked at.
      await inTenant((trx) => markCut(trx, key));
      break;
    }
    const { signal } = call;
    // One more than is kept says whether something is left out.
    const seen = await findInPiece(events, { ...key, from, to, prefixes, kinds, most: most + 1, signal });
    if (seen.length > most) await inTenant((trx) => markCut(trx, key));
    const finds = merged(seen.slice(0, most).flatMap((one) => findOf(sought, one)));
    if (!(await inTenant((trx) => addFinds(trx, key, { from, to }, finds)))) return 0;
    await call.progress(Math.round((hunt.to - from) / DAY_MS), days);
    to = from;
  }
  await inTenant((trx) => endHunt(trx, key, 'done', clock.now()));
  return days;
}
