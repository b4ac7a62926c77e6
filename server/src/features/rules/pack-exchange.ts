import {
  type ItemState,
  OWN_PACK,
  type RuleFilter,
  type RuleOverlay,
  type RuleVerdictName,
  ruleOverlaySchema,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { notFound } from '../../platform/app-error.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { hashed, type JudgedRule, type KnownRule, knownRules } from './pack-rule-store.ts';
import type { ArchiveFile } from './read-archive.ts';
import { readPack } from './read-pack.ts';
import { judgedFor } from './rule-about.ts';
import { rulesToSwitch } from './rule-list-store.ts';
import type { CallerInScope } from './rules-service.ts';
import type { ReachOf } from './tenant-reach.ts';

// Rules of packs as files of an archive: out with what the scope changes about them, and what files that come in would do.

export interface PackExchangeDeps {
  readonly postgres: Postgres;
  readonly reachOf: ReachOf;
}

/** A rule that leaves, with the whole file that holds it. */
export interface RuleText {
  readonly pack: string;
  readonly path: string;
  readonly position: number;
  readonly sigmaId: string | null;
  readonly title: string;
  readonly text: string;
  /** What the scope changes; null when nothing. */
  readonly overlay: RuleOverlay | null;
}

/** What the file of a rule would do. */
export interface RulePreview {
  readonly path: string;
  /** `clash` for the tenant's own rules, which are changed in their editor alone. */
  readonly state: ItemState;
  readonly isOwn: boolean;
  readonly title: string;
  /** Rules in the file. */
  readonly count: number;
  readonly verdict: RuleVerdictName;
  /** Why it cannot be read, in English. */
  readonly reason: string;
  readonly existing: { readonly ID: string; readonly version: number } | null;
}

interface Chosen {
  readonly ruleIds: readonly string[];
  readonly filter: RuleFilter | undefined;
}

/** Rules as files. */
export interface PackExchange {
  /** Throws AppError `not-found` when one of the ids is no rule of the tenant. */
  texts(scope: CallerInScope, chosen: Chosen): Promise<readonly RuleText[]>;
  preview(
    clusterId: string,
    pack: string,
    files: readonly ArchiveFile[],
    signal: AbortSignal,
  ): Promise<readonly RulePreview[]>;
  /** The first of these names that no pack has: the name itself, or with a number. */
  freeName(clusterId: string, pack: string): Promise<string>;
}

export function createPackExchange(deps: PackExchangeDeps): PackExchange {
  return {
    texts: (scope, chosen) => texts(deps, scope, chosen),
    preview: (clusterId, pack, files, signal) => preview(deps, clusterId, pack, files, signal),
    freeName: (clusterId, pack) => freeName(deps, clusterId, pack),
  };
}

async function idsOf(
  trx: TenantTransaction,
  { clusterId, scopeId }: CallerInScope,
  { ruleIds, filter }: Chosen,
): Promise<readonly string[]> {
  const named = ruleIds.length === 0 ? [] : await rulesToSwitch(trx, clusterId, scopeId, { ruleIds });
  if (named.length < new Set(ruleIds).size) throw notFound();
  const filtered = filter ? await rulesToSwitch(trx, clusterId, scopeId, { filter }) : [];
  return [...new Set([...named, ...filtered].map(({ rule_id }) => rule_id))];
}

function texts(
  { postgres }: PackExchangeDeps,
  scope: CallerInScope,
  chosen: Chosen,
): Promise<readonly RuleText[]> {
  const { clusterId, scopeId } = scope;
  return postgres.inTenant(clusterId, async (trx) => {
    const ids = await idsOf(trx, scope, chosen);
    const { rows } = await sql<Omit<RuleText, 'overlay'> & { overlay: unknown }>`
      select p.name as pack, r.path, r.position, r.sigma_id as "sigmaId", r.title, t.body as text,
        case when s.rule_id is not null then jsonb_build_object('stage', s.stage, 'level', s.level, 'schedule', s.schedule,
          'exceptions', s.exceptions, 'threshold', s.threshold) end as overlay
      from pack_rule r join rule_pack p on p.cluster_id = r.cluster_id and p.pack_id = r.pack_id
        join rule_text t on t.text_hash = r.text_hash
        left join scope_rule s on s.cluster_id = r.cluster_id and s.scope_id = ${scopeId} and s.rule_id = r.rule_id
      where r.cluster_id = ${clusterId} and r.rule_id = any(${[...ids]}::text[])
      order by p.name, r.path, r.position, r.rule_id`.execute(trx);
    return withOwnPaths(rows).map(({ overlay, ...row }) => {
      const read = ruleOverlaySchema.nullable().parse(overlay);
      return { ...row, overlay: read && isUsual(read) ? null : read };
    });
  });
}

/** Own rules are named after their titles, which several may share: each is a file of its own. */
function withOwnPaths<Row extends Pick<RuleText, 'pack' | 'path' | 'position'>>(
  rows: readonly Row[],
): readonly Row[] {
  const taken = new Set<string>();
  return rows.map((row) => {
    const keyOf = (path: string) => [row.pack, path, row.position].join('\0');
    let { path } = row;
    for (let count = 2; taken.has(keyOf(path)); count += 1)
      path = row.path.replace(/(\.\w+)?$/, `-${count}$1`);
    taken.add(keyOf(path));
    return { ...row, path };
  });
}

const NONE_KNOWN: ReadonlyMap<string, KnownRule> = new Map();
const NO_VERSIONS: ReadonlyMap<string, number> = new Map();
const USUAL = JSON.stringify(ruleOverlaySchema.parse({}));
const isUsual = (overlay: RuleOverlay): boolean => JSON.stringify(overlay) === USUAL;

async function preview(
  { postgres, reachOf }: PackExchangeDeps,
  clusterId: string,
  pack: string,
  files: readonly ArchiveFile[],
  signal: AbortSignal,
): Promise<readonly RulePreview[]> {
  const found = await postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ id: string }>`select pack_id as id from rule_pack
      where cluster_id = ${clusterId} and name = ${pack}`.execute(trx);
    const packId = rows[0]?.id;
    if (packId === undefined) return { packId: '', known: NONE_KNOWN, versions: NO_VERSIONS };
    const known = await knownRules(trx, clusterId, packId);
    return { packId, known, versions: await versionsIn(trx, clusterId, packId) };
  });
  const read = await readPack(found.packId, { rules: files, samples: [] }, signal, async () => undefined);
  const reach = await reachOf(clusterId);
  const byFile = new Map<string, JudgedRule[]>();
  for (const rule of read) {
    const ofFile = byFile.get(rule.path) ?? [];
    byFile.set(rule.path, ofFile);
    ofFile.push(hashed({ ...rule, ...judgedFor(rule, reach) }));
  }
  const isOwn = found.packId === OWN_PACK;
  const byText = new Map([...found.known.values()].map((rule) => [rule.textHash, rule]));
  // Own rules have ids that nothing in their text tells.
  const before = (rule: JudgedRule) => (isOwn ? byText.get(rule.textHash) : found.known.get(rule.ruleId));
  return [...byFile].map(([path, rules]) =>
    previewOf(path, rules, before, { isOwn, versions: found.versions }),
  );
}

/** What one file would do. */
function previewOf(
  path: string,
  rules: readonly JudgedRule[],
  beforeOf: (rule: JudgedRule) => KnownRule | undefined,
  { isOwn, versions }: { readonly isOwn: boolean; readonly versions: ReadonlyMap<string, number> },
): RulePreview {
  const broken = rules.find(({ verdict }) => verdict === 'invalid');
  const states = rules.map((rule) => {
    const before = beforeOf(rule);
    if (!before || before.isGone) return 'new';
    return isOwn || before.fingerprint === rule.fingerprint ? 'same' : 'changed';
  });
  const [first] = rules;
  const [there] = rules.flatMap((rule) => beforeOf(rule) ?? []);
  return {
    ...{ path, title: first?.title ?? path, count: rules.length },
    ...{ state: broken ? 'invalid' : stateOfAll(states, isOwn), isOwn },
    verdict: (broken ?? rules.find(({ verdict }) => verdict !== 'runs') ?? first)?.verdict ?? 'invalid',
    reason: broken?.about.reason ?? '',
    existing: there ? { ID: there.ruleId, version: versions.get(there.ruleId) ?? 1 } : null,
  };
}

function stateOfAll(states: readonly ItemState[], isOwn: boolean): ItemState {
  if (states.every((state) => state === 'same')) return 'same';
  if (isOwn) return 'clash';
  return states.every((state) => state === 'new') ? 'new' : 'changed';
}

async function versionsIn(
  trx: TenantTransaction,
  clusterId: string,
  packId: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; version: number }>`select rule_id as id, version from pack_rule
    where cluster_id = ${clusterId} and pack_id = ${packId}`.execute(trx);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

function freeName({ postgres }: PackExchangeDeps, clusterId: string, pack: string): Promise<string> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{
      name: string;
    }>`select name from rule_pack where cluster_id = ${clusterId}`.execute(trx);
    const taken = new Set(rows.map(({ name }) => name));
    for (let count = 2; ; count += 1) {
      const name = `${pack.slice(0, 110)} (${count})`;
      if (!taken.has(name)) return name;
    }
  });
}
