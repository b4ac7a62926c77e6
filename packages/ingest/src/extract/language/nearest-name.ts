/** Letters that must be changed, added or left out to make one text of the other; both are short. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The name that was probably meant by a wrong one; undefined when none is near. */
export function nearestName(wrong: string, names: Iterable<string>): string | undefined {
  const text = wrong.slice(0, 40).toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(text.length / 3)) + 1;
  for (const name of names) {
    const far = distance(text, name.toLowerCase());
    if (far >= least) continue;
    least = far;
    best = name;
  }
  return best;
}
