import { COUNTRY_DICTIONARY } from '@tyrian/clickhouse-sql';
import { AppError } from '../app-error.ts';
import type { Logger } from '../log.ts';

// A query that asks for countries waits for the load of the country database, or is refused: an address must never
// seem to have no country because its data are not there yet.

/** Within the ten seconds that one query of a batch may take. */
const WAIT_MS = 8_000;

export interface CountryReadiness {
  /** Loads unless loaded or loading; rejects when the load fails, and the next call tries again. */
  prepare(): Promise<void>;
  /** Resolves when this statement can be asked. Throws AppError `unavailable` while it cannot. */
  awaitFor(statement: string): Promise<void>;
}

export function createCountryReadiness(
  load: () => Promise<void>,
  log: Logger,
  waitMs: number = WAIT_MS,
): CountryReadiness {
  let loading: Promise<void> | undefined;
  const prepare = (): Promise<void> => {
    if (loading) return loading;
    const started = load();
    loading = started;
    started.catch((error: Error) => {
      loading = undefined;
      log.error({ err: error.message }, 'the address database could not be loaded');
    });
    return started;
  };
  return {
    prepare,
    awaitFor: async (statement) => {
      if (!statement.includes(COUNTRY_DICTIONARY)) return;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        const said = 'the address database is still being loaded; try again in a few seconds';
        timer = setTimeout(() => reject(new AppError('unavailable', said)), waitMs);
      });
      const ready = prepare().catch(() => {
        throw new AppError(
          'unavailable',
          'the address database could not be loaded; the log of the server says why',
        );
      });
      await Promise.race([ready, late]).finally(() => clearTimeout(timer));
    },
  };
}
