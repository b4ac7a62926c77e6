// Which known names a word was probably meant to be. A slip is a wrong case, a letter too many, too few, wrong or
// swapped, or a name that was not written to its end.

/** Names close to a word, the closest first, at most `most`; the word itself is never among them. */
export function nearNames(word: string, known: Iterable<string>, most = 3): string[] {
  const wanted = word.toLowerCase();
  const allowed = wanted.length <= 3 ? 1 : wanted.length <= 7 ? 2 : 3;
  const found: { name: string; distance: number }[] = [];
  for (const name of new Set(known)) {
    if (name === word) continue;
    const lower = name.toLowerCase();
    const distance = isBeginning(wanted, lower) ? 1.5 : slips(wanted, lower, allowed);
    if (distance <= allowed) found.push({ name, distance });
  }
  return found
    .sort(
      (one, other) =>
        one.distance - other.distance ||
        sameEnds(wanted, other.name.toLowerCase()) - sameEnds(wanted, one.name.toLowerCase()) ||
        one.name.length - other.name.length,
    )
    .slice(0, most)
    .map(({ name }) => name);
}

/** Letters that two words share at their beginning and at their end. */
function sameEnds(one: string, other: string): number {
  let head = 0;
  while (head < one.length && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < one.length - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return head + tail;
}

const isBeginning = (wanted: string, name: string): boolean =>
  wanted.length >= 4 && name !== wanted && name.startsWith(wanted);

/** Letters to insert, remove, change or swap; more than `limit` counts as infinite. */
function slips(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      next.push(best);
    }
    if (Math.min(...next) > limit) return Number.POSITIVE_INFINITY;
    beforeLast = last;
    last = next;
  }
  return last[other.length] ?? Number.POSITIVE_INFINITY;
}
