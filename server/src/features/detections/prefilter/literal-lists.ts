import { call, constant, type Scalar } from '@tyrian/plan';
import { overShared, type SharedColumns } from '../shared-columns.ts';
import type { Literal, ProbedText } from './literal-need.ts';

// Literals as the engine is asked for them: lists, each over one text. The engine builds a machine for a long list and keeps
// it as long as the list is the same. So a long list is parted by a hash: a rule that comes or goes changes a part alone.

export interface LiteralList {
  readonly text: ProbedText;
  readonly isWhole: boolean;
  readonly literals: readonly Literal[];
}

/** Literals of one part of a list. */
const PART = 1_500;

/** A whole number of 32 bits that is the same in every process. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The lists of literals, in an order that depends on nothing else. */
export function listsOf(literals: readonly Literal[]): readonly LiteralList[] {
  const byText = new Map<string, Literal[]>();
  for (const literal of literals) {
    const name = `${literal.isWhole} ${literal.text.key}`;
    const known = byText.get(name);
    if (known) known.push(literal);
    else byText.set(name, [literal]);
  }
  const names = [...byText.keys()].sort();
  return names.flatMap((name) => partsOf(byText.get(name) ?? []));
}

function partsOf(literals: readonly Literal[]): readonly LiteralList[] {
  const [first] = literals;
  if (!first) return [];
  const { isWhole } = first;
  let count = 1;
  // Looking up costs the same however many there are.
  while (!isWhole && count * PART < literals.length) count *= 2;
  const parts = Array.from({ length: count }, (): Literal[] => []);
  for (const literal of literals) parts[hashOf(literal.value) % count]?.push(literal);
  return parts
    .filter((part) => part.length > 0)
    .map((part) => ({
      text: first.text,
      isWhole,
      literals: part.sort((a, b) => (a.key < b.key ? -1 : 1)),
    }));
}

/** The text of a list over shared columns, and its literals as a constant. */
export const listArguments = (
  { text, literals }: LiteralList,
  columns: SharedColumns,
): readonly [Scalar, Scalar] => [
  asText(overShared(text.expression, text.columns, columns)),
  constant('dynamic', JSON.stringify(literals.map(({ value }) => value))),
];

const asText = (value: Scalar): Scalar =>
  value.type === 'string' ? value : call('string', 'tostring', value);

/** Whether an event holds one of the literals. */
export const holdsAny = (literals: readonly Literal[], columns: SharedColumns): Scalar =>
  call(
    'bool',
    'holds_any_literal',
    ...listsOf(literals).flatMap((list) => [
      constant('string', list.isWhole ? 'equals' : 'within'),
      ...listArguments(list, columns),
    ]),
  );
