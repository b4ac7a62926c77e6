import type { ReadDocument } from './documents/read-sigma.ts';
import type { LogSource, SigmaCorrelation, SigmaDocument, SigmaFilter, SigmaRule } from './sigma-document.ts';

// Rules that know each other: correlations and filters name them by id or by name.

export interface SigmaLibrary {
  /** The rule or correlation of an id or name; undefined when none has it. */
  find(name: string): SigmaRule | SigmaCorrelation | undefined;
  /** The filters that hold for a rule. */
  filtersOf(rule: SigmaRule): readonly SigmaFilter[];
  /**
   * Whether a document raises signals of its own: no filter does, and no rule that correlations refer to, unless one of
   * them says `generate`.
   */
  raisesSignals(document: SigmaDocument): boolean;
}

/** A library of the documents that could be read. Where two have one name the first has it. */
export function sigmaLibrary(documents: readonly ReadDocument[]): SigmaLibrary {
  const named = new Map<string, SigmaRule | SigmaCorrelation>();
  const everywhere: SigmaFilter[] = [];
  const byRule = new Map<string, SigmaFilter[]>();
  for (const one of documents) {
    if (!one.ok) continue;
    const { document } = one;
    if (document.kind !== 'filter') {
      for (const name of namesOf(document)) if (!named.has(name)) named.set(name, document);
    } else if (document.rules === null) everywhere.push(document);
    else for (const { name } of document.rules) byRule.set(name, [...(byRule.get(name) ?? []), document]);
  }
  const correlations = documents.flatMap((one) =>
    one.ok && one.document.kind === 'correlation' ? [one.document] : [],
  );
  const partsOf = (generate: boolean): ReadonlySet<SigmaDocument | undefined> =>
    new Set(
      correlations
        .filter((one) => one.generate === generate)
        .flatMap((one) => one.rules.map(({ name }) => named.get(name))),
    );
  const [parts, generated] = [partsOf(false), partsOf(true)];
  return {
    find: (name) => named.get(name),
    raisesSignals: (document) =>
      document.kind !== 'filter' && (!parts.has(document) || generated.has(document)),
    filtersOf: (rule) =>
      [...new Set([...namesOf(rule).flatMap((name) => byRule.get(name) ?? []), ...everywhere])].filter(
        (filter) => isWithin(rule.logSource, filter.logSource),
      ),
  };
}

/** The id and the name of a document. */
export const namesOf = ({ id, name }: SigmaDocument): readonly string[] =>
  [id, name].flatMap((one) => (one === undefined ? [] : [one]));

/** A filter holds for rules of its own log source, or of one that says more. */
const isWithin = (inner: LogSource, outer: LogSource): boolean =>
  (['product', 'category', 'service'] as const).every(
    (key) => outer[key] === undefined || outer[key] === inner[key],
  );
