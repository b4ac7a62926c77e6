import {
  isPackRuleId,
  type RuleLevel,
  type RuleOverlay,
  type Schedule,
  scheduleSchema,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { keepNewest } from '../../platform/keep-newest.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { Detection, RuleDefinition, RuleDefinitions } from '../detections/rule-definition.ts';
import { ruleKqlIn } from './rule-kql.ts';
import { knowledgeOf, type SignalSource, signalOf } from './rule-signal.ts';

// Rules of packs as the scheduler asks for them. What was read stays until the number of changes of the tenant has grown;
// then the rows are read again, and of the texts only those that are new.

export interface RuleContentReader extends RuleDefinitions {
  /** What the author of a rule says of it; null when the tenant has no such rule. */
  knowledgeOf(clusterId: string, ruleId: string): Promise<{ name: string; kb: string } | null>;
  /** The query of a rule in a scope; null when it has none. */
  kqlOf(clusterId: string, scopeId: string, ruleId: string): Promise<string | null>;
}

interface DefinitionRow extends Omit<SignalSource, 'about'> {
  readonly rule_id: string;
  readonly version: number;
  readonly kql_hash: string;
  /** Of the text of a rule that is no correlation. */
  readonly text_hash: string | null;
  readonly position: number;
  readonly tags: readonly string[];
  readonly timespan_ms: number | null;
  readonly groups: number;
  readonly stage: string | null;
  readonly own_level: RuleLevel | null;
  readonly schedule: Schedule | null;
  readonly exceptions: RuleOverlay['exceptions'] | null;
  readonly threshold: RuleOverlay['threshold'];
  readonly revision: number | null;
}

interface KnownScope {
  revision: number;
  readonly definitions: Map<string, RuleDefinition>;
}

/** Scopes whose rules are kept, and texts and queries over all tenants: those of SigmaHQ are 10 MB. */
const SCOPES_KEPT = 400;
const TEXTS_KEPT = 40_000;

const EVERY_MINUTE: Schedule = scheduleSchema.parse({ mode: 'streamed' });

/** Events of one window that arrive within such a time of each other are correlated. */
const ARRIVAL_MINUTES = 5;

/**
 * How a rule runs in a scope: every minute unless the scope says otherwise, looking back as far as it counts.
 * `timespanMs` is the window of a correlation.
 */
export function scheduleIn(
  overlay: Pick<RuleOverlay, 'schedule' | 'threshold'>,
  timespanMs: number | null = null,
): Schedule {
  const schedule = overlay.schedule ?? EVERY_MINUTE;
  const correlated = timespanMs === null ? 0 : Math.ceil(timespanMs / 60_000) + ARRIVAL_MINUTES;
  const minutes = Math.max(schedule.lookback_minutes, overlay.threshold?.minutes ?? 0, correlated);
  return { ...schedule, lookback_minutes: minutes };
}

class Kept<V> {
  readonly #most: number;
  readonly #values = new Map<string, V>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    keepNewest(this.#values, key, value, this.#most);
  }
}

interface ReaderParts {
  readonly postgres: Postgres;
  readonly scopes: Kept<KnownScope>;
  /** Texts and queries, by hash. */
  readonly texts: Kept<string>;
}

export function createRuleContentReader(postgres: Postgres): RuleContentReader {
  const parts: ReaderParts = { postgres, scopes: new Kept(SCOPES_KEPT), texts: new Kept(TEXTS_KEPT) };
  return {
    definitionsOf: (clusterId, scopeId, ids) =>
      definitionsOf(parts, clusterId, scopeId, ids.filter(isPackRuleId)),
    knowledgeOf: (clusterId, ruleId) => knowledge(parts, clusterId, ruleId),
    kqlOf: async (clusterId, scopeId, ruleId) => {
      const found = await definitionsOf(parts, clusterId, scopeId, [ruleId]);
      return found.get(ruleId)?.detections[0]?.kql.body.query ?? null;
    },
  };
}

async function definitionsOf(
  { postgres, scopes, texts }: ReaderParts,
  clusterId: string,
  scopeId: string,
  ruleIds: readonly string[],
): Promise<ReadonlyMap<string, RuleDefinition>> {
  if (ruleIds.length === 0) return new Map();
  const key = `${clusterId}\0${scopeId}`;
  return postgres.inTenant(clusterId, async (trx) => {
    const revision = await revisionOf(trx, clusterId);
    const known = scopes.get(key);
    const scope: KnownScope = known?.revision === revision ? known : { revision, definitions: new Map() };
    const missing = ruleIds.filter((id) => !scope.definitions.has(id));
    if (missing.length > 0) {
      const rows = await readRows(trx, clusterId, scopeId, missing);
      await readTexts(trx, texts, rows);
      for (const row of rows) {
        const kql = texts.get(row.kql_hash);
        const text = row.text_hash === null ? undefined : texts.get(row.text_hash);
        if (kql !== undefined)
          scope.definitions.set(row.rule_id, definitionOf(row, { clusterId, scopeId }, { kql, text }));
      }
    }
    scopes.set(key, scope);
    return new Map(
      ruleIds.flatMap((id) => {
        const definition = scope.definitions.get(id);
        return definition ? [[id, definition] as const] : [];
      }),
    );
  });
}

async function revisionOf(trx: TenantTransaction, clusterId: string): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    select revision from rule_revision where cluster_id = ${clusterId}`.execute(trx);
  return rows[0]?.revision ?? 0;
}

async function readRows(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  ruleIds: readonly string[],
): Promise<readonly DefinitionRow[]> {
  const { rows } = await sql<DefinitionRow>`
    select r.rule_id, r.version, r.title, r.level, r.status, r.tactics, r.techniques, r.kql_hash,
      case when r.kind = 'rule' then r.text_hash end as text_hash, r.position,
      array(select jsonb_array_elements_text(r.about -> 'tags')) as tags,
      (r.about ->> 'timespanMs')::float8 as timespan_ms, coalesce((r.about ->> 'groups')::integer, 0) as groups,
      s.stage, s.level as own_level, s.schedule, s.exceptions, s.threshold, s.revision
    from pack_rule r left join scope_rule s on s.cluster_id = r.cluster_id and s.rule_id = r.rule_id
      and s.scope_id = ${scopeId}
    where r.cluster_id = ${clusterId} and r.rule_id = any(${ruleIds}::text[]) and r.kql_hash is not null`.execute(
    trx,
  );
  return rows;
}

async function readTexts(
  trx: TenantTransaction,
  texts: Kept<string>,
  rows: readonly DefinitionRow[],
): Promise<void> {
  const named = rows.flatMap((row) => [row.kql_hash, ...(row.text_hash === null ? [] : [row.text_hash])]);
  const hashes = [...new Set(named)].filter((hash) => texts.get(hash) === undefined);
  if (hashes.length === 0) return;
  const { rows: read } = await sql<{ hash: string; body: string }>`
    select text_hash as hash, body from rule_text where text_hash = any(${hashes}::text[])`.execute(trx);
  for (const { hash, body } of read) texts.set(hash, body);
}

const NO_ABOUT = { description: '', authors: '', licence: '', references: [], falsepositives: [] };

function definitionOf(
  row: DefinitionRow,
  scope: { readonly clusterId: string; readonly scopeId: string },
  { kql, text }: { readonly kql: string; readonly text: string | undefined },
): RuleDefinition {
  const overlay = { exceptions: row.exceptions ?? [], threshold: row.threshold, schedule: row.schedule };
  const signal = signalOf({
    ...row,
    level: row.own_level ?? row.level,
    about: { ...NO_ABOUT, tags: row.tags },
  });
  const block = { collapsed: false };
  const detection: Detection = {
    kql: {
      ...block,
      block_id: 'query',
      type: 'kql',
      body: { query: ruleKqlIn(kql, overlay), duration: '1h' },
    },
    signal: { ...block, block_id: 'signal', type: 'signal', body: signal },
    ...(text === undefined ? {} : { sigma: { text, position: row.position } }),
  };
  return {
    ...scope,
    workbookId: row.rule_id,
    name: row.title,
    version: row.version,
    stage: row.stage ?? 'test',
    schedule: scheduleIn(overlay, row.timespan_ms),
    detections: [detection],
  };
}

async function knowledge(
  { postgres }: ReaderParts,
  clusterId: string,
  ruleId: string,
): Promise<{ name: string; kb: string } | null> {
  const { rows } = await postgres.inTenant(clusterId, (trx) =>
    sql<SignalSource>`select title, level, status, tactics, techniques, about from pack_rule
      where cluster_id = ${clusterId} and rule_id = ${ruleId}`.execute(trx),
  );
  const [rule] = rows;
  return rule ? { name: rule.title, kb: knowledgeOf(rule) } : null;
}
