// How far a detection looks back, as far as its text and its schedule say. Pure.

const UNITS_S: Readonly<Record<string, number>> = {
  d: 86_400,
  h: 3_600,
  m: 60,
  s: 1,
};

/** The furthest `ago(14d)` of some queries in seconds; 0 where there is none. */
export function furthestAgo(queries: readonly string[]): number {
  let furthest = 0;
  for (const query of queries)
    for (const [, number, unit] of query.matchAll(/\bago\s*\(\s*(\d+(?:\.\d+)?)\s*(d|h|m|s)\w*\s*\)/gi))
      furthest = Math.max(furthest, Number(number) * (UNITS_S[(unit ?? '').toLowerCase()] ?? 0));
  return Math.ceil(furthest);
}
