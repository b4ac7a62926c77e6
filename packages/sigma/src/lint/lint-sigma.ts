import { readSourced, type SourcedDocument } from '../documents/read-sigma.ts';
import { lintConditions } from './lint-conditions.ts';
import type { LintContext } from './lint-context.ts';
import { lintCost } from './lint-cost.ts';
import { lintHead } from './lint-head.ts';
import { found, type LintFinding } from './lint-sentences.ts';
import { lintSources } from './lint-sources.ts';
import { lintTags } from './lint-tags.ts';
import { lintValues } from './lint-values.ts';

// The linter: what is odd, expensive or against the customs of Sigma in a text, though it may run. Pure, and never throws
// for what a user wrote.
//
//   YAML with places ──head, tags, conditions, values, log source, cost──► findings in the order of the text

/** What is to say of a text; of one that is no YAML nothing, since its verdict says all. */
export function lintSigma(text: string, context: LintContext = {}): readonly LintFinding[] {
  return [...readSourced(text).flatMap((one) => lintDocument(one, context)), ...lineFindings(text)].sort(
    (one, other) => one.span.start - other.span.start || one.code.localeCompare(other.code),
  );
}

/** The same for one document that was read already; lines are not looked at. */
export function lintDocument(
  { map, read }: SourcedDocument,
  context: LintContext = {},
): readonly LintFinding[] {
  if (!map) return [];
  const document = { map, read };
  return [
    ...lintHead(document, context),
    ...lintTags(document, context),
    ...lintConditions(document),
    ...lintValues(document),
    ...lintSources(document),
    ...lintCost(document),
  ];
}

const MOST_LINES = 20;

function lineFindings(text: string): readonly LintFinding[] {
  const ends = [...text.matchAll(/[ \t]+(?=\r?\n|$)/g)].slice(0, MOST_LINES);
  return ends.map(({ 0: spaces, index }) =>
    found('whitespaceAtEnd', { start: index, end: index + spaces.length }),
  );
}
