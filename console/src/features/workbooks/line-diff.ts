// The difference of two texts line by line, as the version panel shows it.

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

const MOST_CELLS = 4_000_000;

/** Longest common subsequence of lines; texts too long for it are shown as all removed, then all added. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let tail = 0;
  while (
    tail < a.length - start &&
    tail < b.length - start &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  ) {
    tail++;
  }
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  const middle = diffMiddle(a.slice(start, a.length - tail), b.slice(start, b.length - tail));
  return [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - tail))];
}

function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > MOST_CELLS) {
    return [
      ...a.map((text): DiffLine => ({ kind: 'removed', text })),
      ...b.map((text): DiffLine => ({ kind: 'added', text })),
    ];
  }
  const common = commonLengths(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      i++;
      j++;
    } else if (
      right === undefined ||
      (left !== undefined && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))
    ) {
      lines.push({ kind: 'removed', text: left ?? '' });
      i++;
    } else {
      lines.push({ kind: 'added', text: right });
      j++;
    }
  }
  return lines;
}

/** `[i][j]`: length of the longest common subsequence of `a` from i and `b` from j. */
function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [row, below] = [table[i]!, table[i + 1]!];
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

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
