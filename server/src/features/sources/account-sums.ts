// What counts of ingest say of a source's account: accepted = stored + spooled + rejected with a reason. Pure.

/** What one source was in one minute so far. `reasons` of records add up to `rejected`; `refused_…` are requests. */
export interface AccountSums {
  accepted: number;
  stored: number;
  spooled: number;
  rejected: number;
  unparsed: number;
  rawBytes: number;
  readonly reasons: Map<string, number>;
}

/** Counts of records that were taken in and are not kept. */
const REJECTED: ReadonlySet<string> = new Set([
  'malformed-action',
  'unsupported-action',
  'dropped-by-rule',
  'lost',
]);

export const noSums = (): AccountSums => ({
  accepted: 0,
  stored: 0,
  spooled: 0,
  rejected: 0,
  unparsed: 0,
  rawBytes: 0,
  reasons: new Map(),
});

/** Adds the counts of a batch, of a message or of a refusal. False when they say nothing of the account. */
export function addCounts(sums: AccountSums, counts: Readonly<Record<string, number | undefined>>): boolean {
  const spooled = counts.spooled ?? 0;
  let changed = false;
  for (const [name, by = 0] of Object.entries(counts)) {
    if (by === 0) continue;
    if (name === 'received') sums.accepted += by;
    else if (name === 'stored') sums.stored += by - spooled;
    else if (name === 'spooled') sums.spooled += by;
    else if (name === 'raw_bytes') sums.rawBytes += by;
    else if (name === 'parse_error' || name === 'no_extractor') sums.unparsed += by;
    else if (REJECTED.has(name)) {
      // A message that was lost was taken in and never read, so nothing else counts it.
      if (name === 'lost') sums.accepted += by;
      sums.rejected += by;
      sums.reasons.set(name, (sums.reasons.get(name) ?? 0) + by);
    } else if (name.startsWith('refused_')) {
      sums.reasons.set(name, (sums.reasons.get(name) ?? 0) + by);
    } else continue;
    changed = true;
  }
  return changed;
}

/** How many records nobody can account for; 0 unless there is a fault of ours. */
export const imbalanceOf = ({
  accepted,
  stored,
  spooled,
  rejected,
}: Pick<AccountSums, 'accepted' | 'stored' | 'spooled' | 'rejected'>): number =>
  accepted - stored - spooled - rejected;
