import type { TenantCatalog } from '@tyrian/catalog';
import { say, sayDiagnostic } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { QueryFunctions } from '../search/compile-with-fields.ts';
import type { Compiled, QueryService } from '../search/query-service.ts';
import type { ExtFields } from '../search/seen-fields.ts';
import { compileSigmaRule } from './compile-sigma-rule.ts';
import type { Detection, RuleDefinition } from './rule-definition.ts';

// Compiles the queries of rules. What a text compiles to depends on the types of those fields of a tenant that it names, and
// on nothing else of the tenant unless it names a function: so a plan is kept as long as these are the same, and shared by
// all for whom they are. Thousands of rules are compiled once, not every few minutes.

/** The query asks for the time of its run, so that its plan serves once. */
export const USES_NOW = /\b(?:now|ago)\s*\(/i;
const PLANS_KEPT = 20_000;

/** A field of the tenant, whose type the tenant's events decide. */
const READS_FIELDS = /\bExt\b/;
/** Asks for columns that it does not name. */
const NAMES_NONE = /\*|\bgetschema\b|\bevaluate\b|\bpack_all\b|\bsearch\b/i;

/** `forTraits`: the types of the tenant's fields do not matter. Throws when the query does not compile. */
export type RuleCompiler = (
  rule: RuleDefinition,
  detection: Detection,
  forTraits?: boolean,
) => Promise<Compiled>;

/** Keeps the plans that were asked for last. */
function keepPlans() {
  const kept = new Map<string, Promise<Compiled>>();
  return (key: string, compile: () => Promise<Compiled>): Promise<Compiled> => {
    const known = kept.get(key);
    const compiled = known ?? compile();
    kept.delete(key);
    kept.set(key, compiled);
    if (known) return known;
    compiled.catch(() => kept.delete(key));
    for (const oldest of kept.keys()) {
      if (kept.size <= PLANS_KEPT) break;
      kept.delete(oldest);
    }
    return compiled;
  };
}

/** What may hide where a text begins or ends. */
const MAY_HIDE = /["'`@]|\/\//;

/** Whether a query asks for columns that it does not name. A star in a text, e.g. of a pattern, asks for none. */
function namesNone(kql: string): boolean {
  const outside = kql.replace(/"(?:[^"\\]|\\.)*"/g, ' ');
  return NAMES_NONE.test(MAY_HIDE.test(outside) ? kql : outside);
}

const wordsOf = (text: string): readonly string[] => text.match(/\w+/g) ?? [];

type ExtField = ExtFields['extFields'][number];

/** A field by one name of its path. */
interface FieldName {
  readonly field: ExtField;
  readonly words: readonly string[];
}

/** The names in the paths of fields by their first words; '' for names without any. Tenants have thousands of fields. */
const indexes = new WeakMap<readonly ExtField[], ReadonlyMap<string, readonly FieldName[]>>();

function indexOf(extFields: readonly ExtField[]): ReadonlyMap<string, readonly FieldName[]> {
  const known = indexes.get(extFields);
  if (known) return known;
  const index = new Map<string, FieldName[]>();
  for (const field of extFields)
    for (const name of field.path.split('.')) {
      const words = wordsOf(name);
      const [first = ''] = words;
      const alike = index.get(first) ?? [];
      alike.push({ field, words });
      index.set(first, alike);
    }
  indexes.set(extFields, index);
  return index;
}

/** The fields of a tenant that a text may name, with their types, as a key. */
export function namedFields(kql: string, { version, extFields }: Omit<ExtFields, 'fields'>): string {
  if (namesNone(kql)) return version;
  const words = new Set(wordsOf(kql));
  const index = indexOf(extFields);
  const named = new Set<ExtField>();
  for (const word of ['', ...words])
    for (const { field, words: own } of index.get(word) ?? [])
      if (own.every((one) => words.has(one))) named.add(field);
  return [...named]
    .map(({ stream, path, type }) => `${stream} ${path} ${type}`)
    .sort()
    .join('\n');
}

/** What the tenant added to its catalog and a text may name, as a key; '' when it names nothing of it. */
export function namedAdditions(kql: string, { streams, fields, tables }: TenantCatalog): string {
  const added = [...streams, ...fields, ...tables];
  if (added.length === 0) return '';
  if (namesNone(kql)) return JSON.stringify([streams, fields]);
  const words = new Set(kql.match(/\w+/g));
  const isNamed = ({ name }: { readonly name: string }): boolean => words.has(name);
  // An alias may have dots and the like; then its first word is looked for.
  const isCalled = (alias: string): boolean => words.has(alias.match(/\w+/)?.[0] ?? '');
  const named = [
    streams.filter(isNamed),
    fields.filter((field) => isNamed(field) || field.aliases.some(isCalled)),
    tables.filter(isNamed),
  ];
  return named.every((list) => list.length === 0) ? '' : JSON.stringify(named);
}

/** Compiles the queries of rules; `functions` are those that a tenant has saved, of which a query may name some. */
export function createRuleCompiler(
  queries: Pick<QueryService, 'compile' | 'fieldsOf' | 'catalogOf'>,
  functions: QueryFunctions | undefined,
): RuleCompiler {
  const keep = keepPlans();
  /** Texts in which the fields of a tenant explain a name. */
  const theirs = new Set<string>();
  const compile = (rule: RuleDefinition, kql: string, knowsNoFields = false) =>
    compileText(queries, rule, kql, knowsNoFields);

  return async (rule, detection, forTraits = false) => {
    const kql = detection.kql.body.query;
    const saved = await functions?.functionsOf(rule.clusterId);
    const namesFunction = saved?.functions.some(({ name }) => kql.includes(name)) ?? false;
    if (namesFunction || USES_NOW.test(kql)) return compile(rule, kql);
    const added = namedAdditions(kql, (await queries.catalogOf(rule.clusterId, [rule.scopeId])).catalog);
    if (added === '' && (forTraits || !READS_FIELDS.test(kql)) && !theirs.has(kql)) {
      try {
        return await keep(kql, async () => (await compileSigmaRule(detection)) ?? compile(rule, kql, true));
      } catch {
        if (theirs.size > PLANS_KEPT) theirs.clear();
        theirs.add(kql);
      }
    }
    const fields = await queries.fieldsOf(rule.clusterId, [rule.scopeId]);
    const named = namedFields(kql, fields);
    return keep(`${kql}\0${named}\0${added}`, async () => {
      const known = named === '' && added === '' ? await compileSigmaRule(detection) : null;
      return known ?? compile(rule, kql);
    });
  };
}

async function compileText(
  queries: Pick<QueryService, 'compile'>,
  { clusterId, scopeId }: RuleDefinition,
  kql: string,
  knowsNoFields: boolean,
): Promise<Compiled> {
  const asked = { clusterId, scopes: [scopeId], kql, queue: 'detections', knowsNoFields } as const;
  const result = await queries.compile(asked);
  const isTheirs = knowsNoFields && result.diagnostics.length > 0;
  if (result.ok && !isTheirs) return result;
  if (isTheirs) throw new Error('the query names something of its tenant');
  const first = result.diagnostics.find((diagnostic) => diagnostic.severity === 'error');
  throw new AppError(
    'bad-input',
    say('rules.doesNotCompile', {
      diagnostic: first ? sayDiagnostic(first) : say('search.queryHasErrors'),
    }),
  );
}
