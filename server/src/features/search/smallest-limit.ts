/** How many rows a plan may give: its own limit, or what is asked for, whichever is less; undefined for no limit. */
export function smallestLimit(limit: number | null, maxRows: number | undefined): number | undefined {
  // One row more than asked tells whether there are more.
  const cap = maxRows === undefined ? undefined : maxRows + 1;
  if (limit === null) return cap;
  return cap === undefined ? limit : Math.min(limit, cap);
}
