import type { StreamConfig } from '@tyrian/contract';
import type { StreamConfigRow } from './stream-config-store.ts';

// Which line holds for the events of a stream in a scope: the scope's own for the stream, the scope's for all
// streams, the tenant's for the stream, the tenant's for all; without any, events are kept without end. Pure.

type Line = Omit<StreamConfig, 'stream'>;

const DEFAULT: Line = {
  retention_days: null,
  set_in: 'default',
  changed: null,
  changed_by: null,
};

/** The line that holds; `scopeId` null asks for the tenant as a whole. */
export function retentionOf(rows: readonly StreamConfigRow[], scopeId: string | null, stream: string): Line {
  const at = (scope: string, name: string) =>
    rows.find((row) => row.scope_id === scope && row.stream === name);
  const ofScope = scopeId === null ? undefined : (at(scopeId, stream) ?? at(scopeId, ''));
  const row = ofScope ?? at('', stream) ?? at('', '');
  if (!row) return DEFAULT;
  return {
    retention_days: row.retention_days,
    set_in: row.scope_id === '' ? 'tenant' : 'scope',
    changed: row.changed_at,
    changed_by: row.changed_by,
  };
}

/** The rows as they would stand with one line set, or taken away when the days are null. */
export function withLine(
  rows: readonly StreamConfigRow[],
  scopeId: string | null,
  stream: string,
  days: number | null,
): readonly StreamConfigRow[] {
  const scope_id = scopeId ?? '';
  const others = rows.filter((row) => row.scope_id !== scope_id || row.stream !== stream);
  if (days === null) return others;
  return [...others, { scope_id, stream, retention_days: days, changed_at: 0, changed_by: '' }];
}
