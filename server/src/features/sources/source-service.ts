import { createHash, randomBytes } from 'node:crypto';
import { type Source, type SourceStatus, say, sayOfField } from '@tyrian/contract';
import type { QueryExecutorProvider } from 'kysely';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { AuditRecorder } from '../../platform/audit-recorder.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { newId } from '../../platform/new-id.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { LastStep } from '../../platform/postgres/within-transaction.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { AccountLedger } from './account-ledger.ts';
import { type IngestSource, type SourceKey, TOKEN_START } from './ingest-source.ts';
import { MAX_REMEMBERED, remembered } from './remember-answers.ts';
import { NotGrantedError, type SourceRow, type SourceStore, type TokenToKeep } from './source-store.ts';

// Sources of events. A token is shown once and kept as a hash; look-ups are remembered for a few seconds, so a
// revoked token works that long at most. Counts are gathered in memory and written every second.

const FLUSH_MS = 1_000;
const PREFIX_LENGTH = 10;

interface NewSource {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly name: string;
  readonly kind: IngestSource['kind'];
  readonly networks: readonly string[];
  readonly certificates?: readonly string[];
  /** For syslog: a token that the sender puts into structured data. */
  readonly withToken?: boolean;
  /** For HTTP: the token is also the shared key of Fluent forward, and kept sealed for it. */
  readonly withSharedKey?: boolean;
  /** Who made it, for the record. */
  readonly by: { readonly userId: string; readonly name: string } | null;
  readonly address?: string;
  /** What else is to stand or fall with the source, in its transaction; instead of an entry in the audit trail. */
  readonly lastStep?: (trx: QueryExecutorProvider, sourceId: string) => Promise<void>;
}

export interface SourceService {
  /** The token is in the answer and nowhere else. AppError `conflict` for a name or network in use. */
  create(source: NewSource): Promise<{ source: Source; token: string | null }>;
  revoke(
    clusterId: string,
    scopeId: string,
    sourceId: string,
    by: NewSource['by'],
    address: string,
    /** What ends with it, in its transaction; instead of an entry in the audit trail. */
    lastStep?: LastStep,
  ): Promise<Source>;
  status(clusterId: string, scopeId: string): Promise<readonly SourceStatus[]>;
  /** Lets a source take nothing in until it is resumed; in the caller's transaction of its tenant. */
  pause(trx: TenantTransaction, key: SourceKey, isPaused: boolean): Promise<void>;
  findByToken(token: string): Promise<IngestSource | null>;
  /** A source that is known already, as it is now; null when it was revoked. A paused one counts as one of a disabled scope. */
  findById(clusterId: string, sourceId: string): Promise<IngestSource | null>;
  findBySender(address: string): Promise<IngestSource | null>;
  /** The syslog source that names one of these certificates. */
  findByCertificate(names: readonly string[]): Promise<IngestSource | null>;
  /** The syslog source of a token in structured data. */
  findBySyslogToken(token: string): Promise<IngestSource | null>;
  /** The source whose shared key begins so and is the one that `isProven` accepts. */
  findBySharedKey(prefix: string, isProven: (key: string) => boolean): Promise<IngestSource | null>;
  /** Adds to the counts of a source. Never throws. */
  count(clusterId: string, sourceId: string, counts: Readonly<Record<string, number | undefined>>): void;
  /** Counts what belongs to no source: wrong tokens, unknown senders. */
  refuse(reason: string, address: string, by?: number): void;
  refusals(): ReturnType<SourceStore['refusals']>;
  /** Datagrams that the kernel dropped, of senders of the whole platform, in the last days. */
  lostDatagrams(): ReturnType<SourceStore['lostDatagrams']>;
  /** Removes old refusals; answers how many. */
  prune(): Promise<number>;
  hasScope(clusterId: string, scopeId: string): Promise<boolean>;
  start(): void;
  /** Writes what has been counted. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function asSource(row: SourceRow): Source {
  return {
    source_id: row.source_id,
    source_name: row.source_name,
    scope_id: row.scope_id,
    kind: row.kind,
    token_prefix: row.token_prefix,
    networks: row.networks ?? [],
    certificates: row.certificates ?? [],
    notice: row.notice,
    created_by: row.created_by,
    created_ms: row.created_at,
    revoked_ms: row.revoked_at,
  };
}

/** Each kind of source has proofs of its own. */
function checkProofs({
  kind,
  networks,
  certificates = [],
  withToken = false,
  withSharedKey = false,
}: NewSource): void {
  const hasSyslogProof = networks.length > 0 || certificates.length > 0 || withToken;
  if (kind === 'syslog' && !hasSyslogProof) {
    throw new AppError('bad-input', sayOfField('networks', say('sources.needsProof')));
  }
  if (kind === 'syslog' && withSharedKey) {
    throw new AppError('bad-input', sayOfField('with_shared_key', say('sources.sharedKeyForHttp')));
  }
  if (kind !== 'syslog' && hasSyslogProof) {
    throw new AppError('bad-input', sayOfField('networks', say('sources.proofForSyslog')));
  }
}

export interface SourceServiceDeps {
  readonly store: SourceStore;
  /** Where shared keys are sealed. */
  readonly secrets: () => SecretBox;
  readonly accounts: AccountLedger;
  readonly audit: AuditRecorder;
  readonly clock: Clock;
  readonly log: Logger;
}

interface SourceServiceParts extends SourceServiceDeps {
  counts: Map<string, Map<string, number>>;
  refused: Map<string, number>;
  readonly findByToken: (key: string) => Promise<IngestSource | null>;
  readonly findByCertificate: (key: string) => Promise<IngestSource | null>;
  timer: NodeJS.Timeout | null;
}

export function createSourceService(deps: SourceServiceDeps): SourceService {
  const { store, clock } = deps;
  const findByToken = remembered(clock, (token) => store.findByToken(tokenHash(token)));
  const findByCertificate = remembered(clock, (names) => store.findByCertificate(names.split('\n')));
  const findBySender = remembered(clock, (address) => store.findBySender(address));
  const findById = remembered(clock, (key) => {
    const [clusterId = '', sourceId = ''] = key.split(' ');
    return store.findById(clusterId, sourceId);
  });
  const parts: SourceServiceParts = {
    ...deps,
    counts: new Map<string, Map<string, number>>(),
    refused: new Map<string, number>(),
    findByToken,
    findByCertificate,
    timer: null,
  };
  return {
    findBySender,
    pause: (trx, key, isPaused) => store.pause(trx, key, isPaused ? clock.now() : null),
    lostDatagrams: store.lostDatagrams,
    findById: (clusterId, sourceId) => findById(`${clusterId} ${sourceId}`),
    ...bindDeps(parts, {
      create,
      revoke,
      status,
      findByToken: ofHttpToken,
      findByCertificate: ofCertificates,
      findBySyslogToken,
      findBySharedKey,
      count,
      refuse,
      refusals,
      prune,
      hasScope,
      flush,
      start,
      stop,
    }),
  };
}

async function flush(parts: SourceServiceParts): Promise<void> {
  await writeCounts(parts);
  await parts.accounts.write();
}

async function writeCounts(parts: SourceServiceParts): Promise<void> {
  const { log, store, clock } = parts;
  const written = parts.counts;
  const writtenRefusals = parts.refused;
  parts.counts = new Map();
  parts.refused = new Map();
  const byTenant = new Map<string, { sourceId: string; name: string; by: number }[]>();
  for (const [key, names] of written) {
    const [clusterId = '', sourceId = ''] = key.split(' ');
    const deltas = byTenant.get(clusterId) ?? [];
    for (const [name, by] of names) deltas.push({ sourceId, name, by });
    byTenant.set(clusterId, deltas);
  }
  const failed = (error: Error) => log.warn({ err: error.message }, 'counts of ingest could not be written');
  for (const [clusterId, deltas] of byTenant) {
    await store.count(clusterId, deltas, clock.now()).catch((error: Error) => {
      failed(error);
      // The engine is away: the counts wait. A source that is gone (foreign key) takes its counts with it.
      if ((error as { code?: string }).code === '23503') return;
      for (const { sourceId, name, by } of deltas) add(parts, clusterId, sourceId, name, by);
    });
  }
  for (const [key, by] of writtenRefusals) {
    const [reason = '', address = ''] = key.split(' ');
    await store.countRefusal(reason, address, by, clock.now()).catch((error: Error) => {
      failed(error);
      parts.refused.set(key, (parts.refused.get(key) ?? 0) + by);
    });
  }
}

function add(parts: SourceServiceParts, clusterId: string, sourceId: string, name: string, by: number): void {
  const key = `${clusterId} ${sourceId}`;
  const names = parts.counts.get(key) ?? new Map<string, number>();
  parts.counts.set(key, names);
  names.set(name, (names.get(name) ?? 0) + by);
}

async function byToken(
  { findByToken }: SourceServiceParts,
  token: string,
  kind: IngestSource['kind'],
): Promise<IngestSource | null> {
  if (token.length < 16 || token.length > 128) return null;
  const source = await findByToken(token);
  // A token of syslog travels in clear text; it opens nothing else.
  return source?.kind === kind ? source : null;
}

const SHARED_KEY = 'shared key of a source';

function tokenToKeep(token: string, isShared: boolean, secrets: () => SecretBox): TokenToKeep {
  const hash = tokenHash(token);
  if (!isShared) return { hash };
  return {
    hash,
    shared: { prefix: token.slice(0, PREFIX_LENGTH), sealed: secrets().seal(token, SHARED_KEY) },
  };
}

async function findBySharedKey(
  parts: SourceServiceParts,
  prefix: string,
  isProven: (key: string) => boolean,
): Promise<IngestSource | null> {
  if (prefix.length !== PREFIX_LENGTH || !prefix.startsWith(TOKEN_START)) return null;
  for (const sealed of await parts.store.findSealedTokens(prefix)) {
    const key = parts.secrets().open(sealed, SHARED_KEY);
    if (isProven(key)) return ofHttpToken(parts, key);
  }
  return null;
}

async function create(
  { store, clock, audit, secrets }: SourceServiceParts,
  asked: NewSource,
): Promise<{ source: Source; token: string | null }> {
  const { clusterId, scopeId, name, kind, networks, certificates = [], by, address = '' } = asked;
  checkProofs(asked);
  if (!(await store.hasScope(clusterId, scopeId))) throw notFound();
  const hasToken = kind === 'http' || asked.withToken === true;
  const token = hasToken ? `${TOKEN_START}${randomBytes(24).toString('base64url')}` : null;
  const row: SourceRow = {
    source_id: newId(),
    scope_id: scopeId,
    source_name: name,
    kind,
    token_prefix: token?.slice(0, PREFIX_LENGTH) ?? null,
    networks: networks.length === 0 ? null : [...networks],
    certificates: certificates.length === 0 ? null : [...new Set(certificates)],
    notice: null,
    created_by: by?.name ?? 'System',
    created_at: clock.now(),
    revoked_at: null,
  };
  try {
    const act = { action: 'source.create', who: by, source: address, clusterId, scopeId };
    const kept = token === null ? null : tokenToKeep(token, asked.withSharedKey === true, secrets);
    const noted: LastStep = (trx) =>
      audit.record({ ...act, entity: row.source_id, details: { name, kind, networks, certificates } }, trx);
    await store.add(clusterId, row, kept, (trx) =>
      asked.lastStep ? asked.lastStep(trx, row.source_id) : noted(trx),
    );
  } catch (error) {
    if (error instanceof NotGrantedError)
      throw new AppError('bad-input', say('sources.notGranted', { proof: error.message }));
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '22P02')
      throw new AppError('bad-input', sayOfField('networks', say('sources.bitsBeyondLength')));
    if (code !== '23505') throw error;
    throw new AppError(
      'conflict',
      say(constraint === 'ingest_source_name' ? 'sources.nameTaken' : 'sources.proofInUse'),
    );
  }
  return { source: asSource(row), token };
}

async function revoke(
  { store, clock, audit }: SourceServiceParts,
  clusterId: string,
  scopeId: string,
  sourceId: string,
  by: NewSource['by'],
  address: string,
  lastStep?: LastStep,
): Promise<Source> {
  const act = { action: 'source.revoke', who: by, source: address, clusterId, scopeId, entity: sourceId };
  const row = await store.revoke({ clusterId, scopeId, sourceId }, clock.now(), (trx) =>
    lastStep ? lastStep(trx) : audit.record(act, trx),
  );
  if (row === null) throw notFound();
  return asSource(row);
}

async function status(
  { store }: SourceServiceParts,
  clusterId: string,
  scopeId: string,
): Promise<readonly SourceStatus[]> {
  const [sources, counters] = await Promise.all([store.list(clusterId, scopeId), store.counters(clusterId)]);
  return sources.map((row) => {
    const own = counters.filter(({ sourceId }) => sourceId === row.source_id);
    return {
      ...asSource(row),
      counts: Object.fromEntries(own.map(({ name, value }) => [name, value])),
      last_event_ms: own.find(({ name }) => name === 'stored')?.updatedMs ?? null,
    };
  });
}

function ofHttpToken(parts: SourceServiceParts, token: string): Promise<IngestSource | null> {
  return byToken(parts, token, 'http');
}

function ofCertificates(
  { findByCertificate }: SourceServiceParts,
  names: readonly string[],
): Promise<IngestSource | null> {
  return findByCertificate(names.join('\n'));
}

async function findBySyslogToken(parts: SourceServiceParts, token: string): Promise<IngestSource | null> {
  return (await byToken(parts, token, 'syslog')) ?? null;
}

function count(
  parts: SourceServiceParts,
  clusterId: string,
  sourceId: string,
  named: Readonly<Record<string, number | undefined>>,
): void {
  for (const [name, by] of Object.entries(named)) if (by) add(parts, clusterId, sourceId, name, by);
  parts.accounts.add(clusterId, sourceId, named);
}

function refuse(parts: SourceServiceParts, reason: string, address: string, by = 1): void {
  // A flood from forged addresses must not fill memory: beyond the limit only the reason is counted.
  const key = `${reason} ${parts.refused.size < MAX_REMEMBERED ? address : ''}`;
  parts.refused.set(key, (parts.refused.get(key) ?? 0) + by);
}

function refusals({ store }: SourceServiceParts): ReturnType<SourceStore['refusals']> {
  return store.refusals();
}

function prune({ store, clock }: SourceServiceParts): Promise<number> {
  return store.pruneRefusals(clock.now());
}

function hasScope({ store }: SourceServiceParts, clusterId: string, scopeId: string): Promise<boolean> {
  return store.hasScope(clusterId, scopeId);
}

function start(parts: SourceServiceParts): void {
  parts.timer ??= setInterval(() => void writeCounts(parts).then(() => parts.accounts.tick()), FLUSH_MS);
}

async function stop(parts: SourceServiceParts): Promise<void> {
  if (parts.timer !== null) clearInterval(parts.timer);
  parts.timer = null;
  await flush(parts);
}
