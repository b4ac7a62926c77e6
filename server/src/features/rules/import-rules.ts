import { type IMPORT_STATES, type RuleChange, say, storedText } from '@tyrian/contract';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Job, JobCall } from '../../platform/jobs/job.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { saidOf } from '../../platform/said-of-failure.ts';
import type { ImportedSamples } from '../samples/imported-samples.ts';
import { applySettings, type SettingsDeps } from './apply-settings.ts';
import {
  changeImport,
  countChanges,
  dropParts,
  findImport,
  type ImportRow,
  noteChanges,
  readParts,
} from './import-store.ts';
import {
  dropRules,
  hashed,
  type JudgedRule,
  type KnownRule,
  knownRules,
  writeRules,
} from './pack-rule-store.ts';
import { readArchive } from './read-archive.ts';
import { readPack } from './read-pack.ts';
import { judgedFor } from './rule-about.ts';
import { type ImportPayload, ruleImportRequest } from './rule-import-request.ts';
import type { ReachOf } from './tenant-reach.ts';
import { dropUpdates, goneUpdate, offeredUpdate, writeUpdates } from './update-rows.ts';

// The job of an import: reads the archive, gives each rule its verdict, and writes what differs from the last import in
// batches. What an earlier attempt has written is found again, so a job that runs twice does as one that runs once.

export interface ImportDeps extends SettingsDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly reachOf: ReachOf;
  readonly samples: ImportedSamples;
}

const AT_ONCE = 250;

export function ruleImportJob(deps: ImportDeps): Job<ImportPayload> {
  return {
    ...ruleImportRequest,
    run: ({ importId }, call) => runImport(deps, call.clusterId ?? '', importId, call),
  };
}

/** Answers how many rules were read. An archive that cannot be read fails the import, not the job. */
async function runImport(
  deps: ImportDeps,
  clusterId: string,
  importId: string,
  call: JobCall,
): Promise<number> {
  const { postgres, clock } = deps;
  const begun = await postgres.inTenant(clusterId, async (trx) => {
    const one = await findImport(trx, clusterId, importId, true);
    if (!one || (one.state !== 'waiting' && one.state !== 'running')) return null;
    const nowMs = clock.now();
    await changeImport(trx, clusterId, importId, { state: 'running', startedMs: nowMs });
    return { one, archive: await readParts(trx, clusterId, importId) };
  });
  if (!begun) return 0;
  const end = (state: (typeof IMPORT_STATES)[number], error: string | null) =>
    postgres.inTenant(clusterId, async (trx) => {
      await changeImport(trx, clusterId, importId, { state, error, endedMs: clock.now() });
      await dropParts(trx, clusterId, importId);
    });
  try {
    if (begun.archive === null) throw new AppError('bad-input', say('packs.partsMissing'));
    return await importArchive(deps, clusterId, begun.one, begun.archive, call);
  } catch (error) {
    if (call.signal.aborted) {
      if (call.signal.reason === 'canceled') await end('canceled', null);
      throw error;
    }
    if (!(error instanceof AppError)) throw error;
    await end('failed', storedText(saidOf(error, (reason) => say('packs.importFailed', { reason }))));
    return 0;
  }
}

async function importArchive(
  deps: ImportDeps,
  clusterId: string,
  one: ImportRow,
  archive: Buffer,
  { signal, progress }: JobCall,
): Promise<number> {
  const { postgres, clock, reachOf } = deps;
  const files = readArchive(archive);
  const filesTotal = files.rules.length;
  const say = createTeller(postgres, clusterId, one.import_id, filesTotal, progress);
  const reach = await reachOf(clusterId);
  // Reading is the first half of the work, writing the second.
  const read = await readPack(one.pack_id, files, signal, (done) => say(Math.floor(done / 2)));
  const rules = read.map((rule) => hashed({ ...rule, ...judgedFor(rule, reach) }));
  const known = await postgres.inTenant(clusterId, (trx) => knownRules(trx, clusterId, one.pack_id));
  const writer = { clusterId, packId: one.pack_id, nowMs: clock.now(), author: one.author };
  const growth = createGrowth(postgres);
  for (let from = 0; from < rules.length; from += AT_ONCE) {
    signal.throwIfAborted();
    const batch = rules.slice(from, from + AT_ONCE);
    const changed = batch.flatMap((rule) => changeOf(rule, known.get(rule.ruleId)) ?? []);
    if (changed.length > 0) {
      await postgres.inTenant(clusterId, (trx) => writeBatch(trx, one, writer, changed, known));
      await growth.add(changed.length);
    }
    await say(Math.floor((filesTotal * (1 + Math.min(1, (from + AT_ONCE) / rules.length))) / 2));
  }
  const there = rules.filter((rule) => !one.review || isAsKnown(rule, known.get(rule.ruleId)));
  const place = { clusterId, scopeId: one.scope_id };
  const sampled = there.map((rule) => ({ ...rule, keepsOlder: !one.whole }));
  await deps.samples(place, one.author, sampled, signal);
  await postgres.inTenant(clusterId, (trx) =>
    finish(deps, trx, clusterId, one, { known, rules, files: filesTotal }),
  );
  return rules.length;
}

/** Writes what differs, or offers it where the import is for review; only a verdict that differs is always written. */
async function writeBatch(
  trx: TenantTransaction,
  one: ImportRow,
  writer: Parameters<typeof writeRules>[1],
  changed: readonly ChangedRule[],
  known: ReadonlyMap<string, KnownRule>,
): Promise<void> {
  const { clusterId, packId, author, nowMs } = writer;
  const isOffered = ({ rule }: ChangedRule) => one.review && !isAsKnown(rule, known.get(rule.ruleId));
  const written = changed.filter((each) => !isOffered(each)).map(({ rule }) => rule);
  const offered = changed.filter(isOffered).map(({ rule }) => offeredUpdate(rule, known.get(rule.ruleId)));
  await writeRules(trx, writer, written);
  await writeUpdates(trx, { clusterId, packId, author, nowMs }, offered);
  const changes = changed.map(({ change }) => change);
  await noteChanges(trx, clusterId, one.import_id, changes);
}

/**
 * Tells PostgreSQL how large the tables have become, each time when four times as much was written: plans that connections
 * keep from when they were small would read the whole table for each row that refers to it.
 */
function createGrowth(postgres: Postgres) {
  let [written, next] = [0, AT_ONCE];
  return {
    add: async (rows: number): Promise<void> => {
      written += rows;
      if (written < next) return;
      next = written * 4;
      await sql`analyze rule_text, pack_rule, pack_rule_version`.execute(postgres.platform);
    },
  };
}

/** Tells of progress at most once a second, to the job and to whoever looks at the import. */
function createTeller(
  postgres: Postgres,
  clusterId: string,
  importId: string,
  filesTotal: number,
  progress: JobCall['progress'],
) {
  let nextMs = 0;
  return async (filesDone: number): Promise<void> => {
    await progress(filesDone, filesTotal);
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + 1_000;
    await postgres.inTenant(clusterId, (trx) =>
      changeImport(trx, clusterId, importId, { filesDone, filesTotal }),
    );
  };
}

interface ChangedRule {
  readonly rule: JudgedRule;
  readonly change: RuleChange;
}

const isAsKnown = (rule: JudgedRule, before: KnownRule | undefined): boolean =>
  before !== undefined && !before.isGone && before.fingerprint === rule.fingerprint;

/** What the import makes of a rule; null when it is as it was. */
function changeOf(rule: JudgedRule, before: KnownRule | undefined): ChangedRule | null {
  const hasVerdict = before?.verdict === rule.verdict && before.reasonCode === rule.reasonCode;
  if (isAsKnown(rule, before) && hasVerdict) return null;
  const isNew = before === undefined || before.isGone;
  const change = isNew ? 'new' : before.verdict === rule.verdict ? 'changed' : 'verdict';
  return {
    rule,
    change: {
      rule_id: rule.ruleId,
      change,
      title: rule.title,
      path: rule.path,
      verdict_before: before?.verdict ?? null,
      verdict_after: rule.verdict,
    },
  };
}

interface Imported {
  readonly known: ReadonlyMap<string, KnownRule>;
  readonly rules: readonly JudgedRule[];
  readonly files: number;
}

async function finish(
  deps: ImportDeps,
  trx: TenantTransaction,
  clusterId: string,
  one: ImportRow,
  { known, rules, files }: Imported,
): Promise<void> {
  const { clock, rules: control } = deps;
  const nowMs = clock.now();
  const held = new Set(rules.map(({ ruleId }) => ruleId));
  const gone = one.whole ? [...known.values()].filter(({ ruleId }) => !held.has(ruleId)) : [];
  const changes = gone
    .filter(({ isGone }) => !isGone)
    .map(
      ({ ruleId, title, path, verdict }): RuleChange => ({
        ...{ rule_id: ruleId, change: 'gone', title, path, verdict_before: verdict, verdict_after: null },
      }),
    );
  await noteChanges(trx, clusterId, one.import_id, changes);
  await settleUpdates(trx, clusterId, one, { known, rules, gone, nowMs });
  if (!one.review) {
    const ids = gone.map(({ ruleId }) => ruleId);
    for (const ruleId of await dropRules(trx, clusterId, ids, nowMs))
      await control.remove(trx, clusterId, ruleId);
    // What was set aside may work now.
    await control.releaseChanged(trx, clusterId, await changedRules(trx, clusterId, one.import_id));
  }
  await applySettings(deps, trx, { clusterId, one, rules, nowMs });
  await sql`update rule_pack set imported_at = ${timestamp(nowMs)}, imported_by = ${one.author}
    where cluster_id = ${clusterId} and pack_id = ${one.pack_id}`.execute(trx);
  await changeImport(trx, clusterId, one.import_id, {
    ...{ state: 'done', filesDone: files, filesTotal: files, error: null, endedMs: nowMs },
    totals: { ...totalsOf(rules), changes: await countChanges(trx, clusterId, one.import_id) },
  });
  await dropParts(trx, clusterId, one.import_id);
}

interface Settling extends Pick<Imported, 'known' | 'rules'> {
  readonly gone: readonly KnownRule[];
  readonly nowMs: number;
}

/** What earlier imports offered for these rules is over; an import for review offers that the missing ones go. */
async function settleUpdates(
  trx: TenantTransaction,
  clusterId: string,
  one: ImportRow,
  { known, rules, gone, nowMs }: Settling,
): Promise<void> {
  const same = rules.filter((rule) => !one.review || isAsKnown(rule, known.get(rule.ruleId)));
  const ids = same.map(({ ruleId }) => ruleId);
  if (!one.whole) await dropUpdates(trx, clusterId, one.pack_id, { only: ids });
  else {
    const waiting = one.review ? rules.map(({ ruleId }) => ruleId) : [];
    const over = new Set(ids);
    const goneNow = one.review ? gone.filter(({ isGone }) => !isGone) : [];
    const but = [...waiting.filter((id) => !over.has(id)), ...goneNow.map(({ ruleId }) => ruleId)];
    await dropUpdates(trx, clusterId, one.pack_id, { but });
    const offer = { clusterId, packId: one.pack_id, author: one.author, nowMs };
    await writeUpdates(trx, offer, goneNow.map(goneUpdate));
  }
}

async function changedRules(
  trx: TenantTransaction,
  clusterId: string,
  importId: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ rule_id: string }>`select rule_id from rule_change
    where cluster_id = ${clusterId} and import_id = ${importId} and change = 'changed'`.execute(trx);
  return rows.map((row) => row.rule_id);
}

function totalsOf(rules: readonly JudgedRule[]) {
  const count = (namesOf: (rule: JudgedRule) => readonly string[]): Record<string, number> => {
    const counted = new Map<string, number>();
    for (const name of rules.flatMap(namesOf)) counted.set(name, (counted.get(name) ?? 0) + 1);
    return Object.fromEntries([...counted].sort(([, one], [, other]) => other - one));
  };
  return {
    verdicts: count(({ verdict }) => [verdict]),
    tactics: count(({ tactics }) => tactics),
    log_sources: count(({ logSource }) => (logSource === '' ? [] : [logSource])),
  };
}
