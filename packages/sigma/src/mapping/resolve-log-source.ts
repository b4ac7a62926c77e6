import type { LogSource } from '../sigma-document.ts';
import { LOG_SOURCES } from './log-sources.ts';
import type { LogSourceMapping } from './source-condition.ts';

const KEYS = ['product', 'category', 'service'] as const;

/** The first mapping that agrees with all that the log source says; undefined for a source that no mapping knows. */
export function resolveLogSource(logSource: LogSource): LogSourceMapping | undefined {
  return LOG_SOURCES.find((mapping) =>
    KEYS.every((key) =>
      mapping[key] === undefined ? !(mapping.exact && logSource[key]) : mapping[key] === logSource[key],
    ),
  );
}
