import { type ServerMessage, say } from '@tyrian/contract';
import { AppError } from '../app-error.ts';
import type { Logger } from '../log.ts';

// A query that looks something up in data that come with the program waits for them to be loaded, or is refused: an
// address must never seem to have no country because the countries are not there yet.

/** Within the ten seconds that one query of a batch may take. */
const WAIT_MS = 8_000;

/** Data that the program loads into the engine by itself. */
export interface ReferenceData {
  /** As the log calls it, with its article. */
  readonly name: string;
  /** The same for whoever asks, as the beginning of a sentence. */
  readonly shown: ServerMessage;
  /** What a statement that needs it holds. */
  readonly mark: string;
  /** `part`: some engine did not answer; it is loaded there when it is next asked for. */
  readonly load: () => Promise<'whole' | 'part'>;
}

export interface ReferenceReadiness {
  /** Loads unless loaded or loading; rejects when the load fails, and the next call tries again. */
  prepare(): Promise<void>;
  /** Resolves when this statement can be asked. Throws AppError `unavailable` while it cannot. */
  awaitFor(statement: string): Promise<void>;
}

export function createReferenceReadiness(
  { name, shown, mark, load }: ReferenceData,
  log: Logger,
  waitMs: number = WAIT_MS,
): ReferenceReadiness {
  let loading: Promise<void> | undefined;
  const prepare = (): Promise<void> => {
    if (loading) return loading;
    const started = load().then(
      (loaded) => {
        if (loaded === 'part') loading = undefined;
      },
      (error: Error) => {
        loading = undefined;
        log.error({ err: error.message }, `${name} could not be loaded`);
        throw error;
      },
    );
    started.catch(() => undefined);
    loading = started;
    return started;
  };
  return {
    prepare,
    awaitFor: async (statement) => {
      if (!statement.includes(mark)) return;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        const said = say('engines.dataLoading', { data: shown });
        timer = setTimeout(() => reject(new AppError('unavailable', said)), waitMs);
      });
      const ready = prepare().catch(() => {
        throw new AppError('unavailable', say('engines.dataNotLoaded', { data: shown }));
      });
      await Promise.race([ready, late]).finally(() => clearTimeout(timer));
    },
  };
}
