import type { BatchReport } from './ingest-batch.ts';
import type { PartialSuccess } from './otlp-messages.ts';

/**
 * Every record is stored, so none is rejected; what was kept only as text is told as a warning, which OTLP foresees
 * with a count of 0. Undefined when there is nothing to tell.
 */
export function warningOf({ counts }: BatchReport): PartialSuccess | undefined {
  const { received = 0, parse_error: unread = 0, truncated = 0 } = counts;
  if (unread === 0 && truncated === 0) return undefined;
  const parts = [
    unread > 0 ? `${unread} of ${received} records could not be read and are kept as text` : '',
    truncated > 0 ? `${truncated} are longer than 1 MiB and were cut` : '',
  ];
  return { rejectedLogRecords: 0, errorMessage: parts.filter((part) => part !== '').join('; ') };
}
