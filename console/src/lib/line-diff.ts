import { diffLines as difference } from 'diff';

// The difference of two texts line by line, as the panels of versions and of updates show it.

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Lines that went and came before two texts are shown as all removed, then all added: finding fewer takes too long. */
const MOST_CHANGES = 4_000;

/** What stands in both texts, and what in one of them, in order. */
export function diffLines(before: string, after: string): DiffLine[] {
  // A last line without its line break is another line than one with it.
  const parts = difference(`${before}\n`, `${after}\n`, { maxEditLength: MOST_CHANGES });
  if (!parts) return [...linesOf(before, 'removed'), ...linesOf(after, 'added')];
  return parts.flatMap(({ value, added, removed }) =>
    linesOf(value.replace(/\n$/, ''), added ? 'added' : removed ? 'removed' : 'same'),
  );
}

const linesOf = (text: string, kind: DiffLine['kind']): DiffLine[] =>
  text.split('\n').map((line) => ({ kind, text: line }));

/** Keeps `around` unchanged lines beside each change; a gap says how many lines are left out. */
export function foldDiff(
  lines: readonly DiffLine[],
  around = 3,
): (DiffLine | { readonly kind: 'gap'; readonly count: number })[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => line.kind !== 'same'),
  );
  const folded: (DiffLine | { kind: 'gap'; count: number })[] = [];
  lines.forEach((line, index) => {
    if (near[index]) {
      folded.push(line);
      return;
    }
    const last = folded.at(-1);
    if (last?.kind === 'gap') folded[folded.length - 1] = { kind: 'gap', count: last.count + 1 };
    else folded.push({ kind: 'gap', count: 1 });
  });
  return folded;
}
