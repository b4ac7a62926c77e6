import { gunzipSync, gzipSync } from 'node:zlib';
import { CONNECTOR_CONFIGS, say, storedText } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { newId } from '../../platform/new-id.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing-connections.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { storableText } from '../../platform/postgres/storable.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { IngestTarget } from '../ingest/ingest-batch.ts';
import type { IngestService } from '../ingest/ingest-service.ts';
import type { SourceService } from '../sources/source-service.ts';
import { ConnectorError, storedReason } from './connector-error.ts';
import { openSecrets } from './connector-secrets.ts';
import {
  type Claimed,
  endTurn,
  keepPending,
  keepPosition,
  type Lease,
  LostLeaseError,
  noteValidation,
  type TurnEnd,
} from './lease-store.ts';
import type { Piece, PullCall } from './puller.ts';
import { pullerOf } from './pullers.ts';

// A turn of a connector: what may have been left half done is stored first, then new settings are validated, then pieces
// are fetched. A piece is kept under a key before it is stored and its position after, so that a process may end anywhere:
// whoever takes over stores the same bytes under the same key, which ingest stores once.

/** After so long a turn gives way to connectors that wait. Kafka would have to join its group again. */
const TURN_MS = { http: 60_000, s3: 60_000, kafka: 600_000, push: 0 } as const;
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 900_000;
/** The store or the spool is full, or another process still holds the piece. */
const BUSY_WAIT_MS = 5_000;
const SCOPE_OFF_WAIT_MS = 30_000;
/** Failures in a row after which something that may pass counts as failed. */
const PATIENCE = 3;

export interface TurnDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Logger;
  readonly outgoing: Outgoing;
  readonly secrets: SecretBox;
  readonly ingest: Pick<IngestService, 'ingest'>;
  readonly sources: Pick<SourceService, 'findById' | 'count'>;
}

/** One turn. Never throws; when the signal aborts, nothing is half done that the next turn would not finish. */
export async function runConnector(
  deps: TurnDeps,
  claimed: Claimed,
  owner: string,
  signal: AbortSignal,
): Promise<void> {
  const lease = { clusterId: claimed.cluster_id, connectorId: claimed.connector_id, owner };
  const { revision } = claimed;
  const line = { clusterId: lease.clusterId, connector: lease.connectorId };
  const end = ({
    waitMs,
    ...how
  }: Omit<TurnEnd, 'revision' | 'dueMs' | 'nowMs'> & Pick<Worked, 'waitMs'>) => {
    const nowMs = deps.clock.now();
    return endTurn(deps.postgres, lease, { ...how, revision, nowMs, dueMs: nowMs + waitMs });
  };
  try {
    const { waitMs, note, hasRun } = await work(deps, claimed, lease, signal);
    await end({ waitMs, failures: 0, failure: note, isFailed: false, hasRun });
  } catch (error) {
    if (error instanceof LostLeaseError) return;
    const told = afterFailure(claimed, error, signal);
    if (told.failure !== null) deps.log.warn({ ...line, err: String(error) }, 'a connector failed');
    await end({ ...told, hasRun: false }).catch((lost: Error) => {
      if (!(lost instanceof LostLeaseError))
        deps.log.warn({ ...line, err: lost.message }, 'the end of a turn was not noted');
    });
  }
}

function afterFailure(
  { failures, is_failed: wasFailed, failure: before }: Claimed,
  error: unknown,
  signal: AbortSignal,
) {
  // Stopped, or our own store is busy: nothing that the other side has done, and nothing about it is known anew.
  const same = { failures, failure: before, isFailed: wasFailed };
  if (signal.aborted) return { ...same, waitMs: 0 };
  if (error instanceof AppError && error.kind === 'unavailable') return { ...same, waitMs: BUSY_WAIT_MS };
  const failed = error instanceof ConnectorError ? error : null;
  if (failed?.retryAfterMs) return { ...same, waitMs: failed.retryAfterMs };
  const now = failures + 1;
  const isFailed = (failed?.isLasting ?? false) || now >= PATIENCE || wasFailed;
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 10));
  return { waitMs, failures: now, failure: storedReason(error), isFailed };
}

interface Worked {
  /** After how many milliseconds there is something to do again. */
  readonly waitMs: number;
  /** What was passed over, as a stored text. */
  readonly note: string | null;
  /** It fetched, rather than only being looked at. */
  readonly hasRun: boolean;
}

const waits = (waitMs: number): Worked => ({ waitMs, note: null, hasRun: false });

async function work(deps: TurnDeps, claimed: Claimed, lease: Lease, signal: AbortSignal): Promise<Worked> {
  const source = await deps.sources.findById(lease.clusterId, claimed.source_id);
  if (source === null) throw new ConnectorError(say('connectors.sourceEnded'), { isLasting: true });
  if (!source.isScopeEnabled) return waits(SCOPE_OFF_WAIT_MS);
  const target: IngestTarget = {
    ...{ clusterId: lease.clusterId, scopeId: claimed.scope_id, sourceId: claimed.source_id },
    ...{ sourceName: source.sourceName, sourceAddress: '' },
  };
  const position = await finishPending(deps, claimed, lease, target);
  const call: PullCall<never> = {
    config: CONNECTOR_CONFIGS[claimed.engine].parse(claimed.config) as never,
    secrets: openSecrets(deps.secrets, lease.connectorId, claimed.sealed_secrets),
    outgoing: deps.outgoing,
    nowMs: () => deps.clock.now(),
    signal,
  };
  if (claimed.validation !== 'ok' && !(await isValid(deps, claimed, lease, call)))
    return waits(LONGEST_WAIT_MS);
  if (!claimed.is_wanted) return waits(0);
  const pieces = pullerOf(claimed.engine).pull({ ...call, position, connectorId: lease.connectorId });
  return fetchPieces(deps, claimed, { lease, target, pieces, signal });
}

async function isValid(
  deps: TurnDeps,
  claimed: Claimed,
  lease: Lease,
  call: PullCall<never>,
): Promise<boolean> {
  const { postgres, clock } = deps;
  const { revision } = claimed;
  let reason: string | null = null;
  try {
    await pullerOf(claimed.engine).check(call);
  } catch (error) {
    call.signal.throwIfAborted();
    reason = storedReason(error);
  }
  await noteValidation(postgres, lease, { reason, nowMs: clock.now(), revision });
  return reason === null;
}

interface Fetching {
  readonly lease: Lease;
  readonly target: IngestTarget;
  readonly pieces: AsyncGenerator<Piece, number>;
  readonly signal: AbortSignal;
}

async function fetchPieces(deps: TurnDeps, claimed: Claimed, fetching: Fetching): Promise<Worked> {
  const { pieces, signal } = fetching;
  const endsAt = performance.now() + TURN_MS[claimed.engine];
  let note: string | null = null;
  try {
    for (;;) {
      const next = await pieces.next();
      if (next.done) return { waitMs: next.value, note, hasRun: true };
      await storePiece(deps, fetching, next.value);
      if (next.value.refused) note = storableText(storedText(next.value.refused));
      signal.throwIfAborted();
      if (performance.now() > endsAt) return { waitMs: 0, note, hasRun: true };
    }
  } finally {
    await pieces.return(0).catch(() => undefined);
  }
}

async function storePiece(deps: TurnDeps, { lease, target }: Fetching, piece: Piece): Promise<void> {
  const { postgres, ingest, sources } = deps;
  const { records, position } = piece;
  if (records.length > 0) {
    const lines = `${records.join('\n')}\n`;
    const key = `${lease.connectorId}/${newId()}`;
    await keepPending(postgres, lease, { lines: gzipSync(lines, { level: 1 }), key, position });
    await store(ingest, target, lines, key);
  }
  await keepPosition(postgres, lease, position);
  if (piece.refused !== undefined && target.sourceId !== null)
    sources.count(lease.clusterId, target.sourceId, { 'refused_unreadable-object': 1 });
  await piece.onStored?.();
}

/** A batch that not even as text can be decoded is counted on its source as refused, and passed over. */
async function store(
  ingest: TurnDeps['ingest'],
  target: IngestTarget,
  lines: string,
  key: string,
): Promise<void> {
  try {
    await ingest.ingest(target, lines, key);
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'bad-input')) throw error;
  }
}

/** Stores what an earlier turn may not have stored; answers the position behind it. */
async function finishPending(
  deps: TurnDeps,
  claimed: Claimed,
  lease: Lease,
  target: IngestTarget,
): Promise<unknown> {
  const { pending, pending_key: key, pending_position: position } = claimed;
  if (pending === null || key === null) return claimed.position;
  await store(deps.ingest, target, gunzipSync(pending).toString('utf8'), key);
  await keepPosition(deps.postgres, lease, position);
  return position;
}
