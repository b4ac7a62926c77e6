import type { AuditEntry } from '../../platform/audit-recorder.ts';

// What the audit trail keeps of a read of event data: where, with which query, over which time, how much.

export interface EventRead {
  readonly clusterId: string;
  readonly scopeId: string;
  /** KQL; a list where one read runs several. */
  readonly query: string | readonly string[];
  /** Epoch milliseconds, half-open, as resolved for this read. */
  readonly range: { readonly from: number; readonly to: number };
  /** Scopes that were read, where the query may name others than its own with workspace(). */
  readonly scopes?: Iterable<string>;
}

/** The entry of a read. `rows` in the details: rows, values or events that the answer tells of. */
export function readEntry(
  action: string,
  { clusterId, scopeId, query, range, scopes = [] }: EventRead,
  details: { readonly rows?: number } & Readonly<Record<string, unknown>>,
): AuditEntry & { readonly details: Readonly<Record<string, unknown>> } {
  const read = [...new Set(scopes)].sort();
  const named = read.some((scope) => scope !== scopeId) ? { scopes: read } : {};
  return {
    action,
    clusterId,
    scopeId,
    details: { query, from: range.from, to: range.to, ...named, ...details },
  };
}
