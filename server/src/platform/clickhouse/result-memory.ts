import { say } from '@tyrian/contract';
import { AppError } from '../app-error.ts';

// What this process holds of answers of the engine: lines that are still coming, and rows that are collected before
// they are looked at. One tenant can fill a part of it, and small answers are always held, so that nobody's large
// result keeps another's small one away.

export interface ResultMemoryLimits {
  /** One row, as JSON of the engine. A row in full is parsed in one step, for which everything else waits. */
  readonly rowBytes: number;
  /** Rows of one result that are held at once. Rows that are passed on as they come do not count. */
  readonly resultBytes: number;
  readonly tenantBytes: number;
  readonly processBytes: number;
}

const MIB = 1024 * 1024;

export const RESULT_MEMORY_LIMITS: ResultMemoryLimits = {
  rowBytes: 8 * MIB,
  resultBytes: 64 * MIB,
  tenantBytes: 96 * MIB,
  processBytes: 256 * MIB,
};

/** An answer up to this size is always held; slots of the queues bound how many there are. */
const SMALL_BYTES = MIB;

/** What one answer holds. */
export interface HeldResult {
  /**
   * Says how many bytes are held now. Throws AppError `bad-input` when one result passes its limit, `too-many` when
   * the tenant or the process has no memory left.
   */
  set(bytes: number): void;
  release(): void;
}

export interface ResultMemory {
  readonly limits: ResultMemoryLimits;
  hold(tenant: string): HeldResult;
  heldBytes(): number;
  /** The most that was held at once. */
  peakBytes(): number;
}

/** Counts for one process; `RESULT_MEMORY` is the one of this. */
export function createResultMemory(limits: ResultMemoryLimits = RESULT_MEMORY_LIMITS): ResultMemory {
  const tenants = new Map<string, number>();
  let held = 0;
  let peak = 0;

  const change = (tenant: string, by: number): void => {
    held += by;
    peak = Math.max(peak, held);
    const own = (tenants.get(tenant) ?? 0) + by;
    if (own > 0) tenants.set(tenant, own);
    else tenants.delete(tenant);
  };

  return {
    limits,
    heldBytes: () => held,
    peakBytes: () => peak,
    hold: (tenant) => {
      let own = 0;
      return {
        set: (bytes) => {
          const more = bytes - own;
          if (more > 0 && bytes > SMALL_BYTES) {
            if (bytes > limits.resultBytes) throw resultTooLarge(limits.resultBytes);
            const isFull =
              held + more > limits.processBytes || (tenants.get(tenant) ?? 0) + more > limits.tenantBytes;
            if (isFull) throw noMemory();
          }
          own = bytes;
          change(tenant, more);
        },
        release: () => {
          change(tenant, -own);
          own = 0;
        },
      };
    },
  };
}

export const RESULT_MEMORY: ResultMemory = createResultMemory();

/** A result was refused because its rows cannot be held together; passed on as they come they could be read. */
export const isPastResultMemory = (error: unknown): boolean =>
  error instanceof AppError && /^result_/.test((error.details as { limit?: string } | null)?.limit ?? '');

const inMib = (bytes: number): string => `${Math.round((bytes / MIB) * 10) / 10} MiB`;

/** The refusal for a row beyond the limit, which is not read to its end. */
export const rowTooLarge = (maxBytes: number): AppError =>
  new AppError('bad-input', say('engines.rowTooLarge', { most: inMib(maxBytes) }), {
    limit: 'row_bytes',
    allowed: maxBytes,
  });

const resultTooLarge = (maxBytes: number): AppError =>
  new AppError('bad-input', say('engines.resultTooLarge', { most: inMib(maxBytes) }), {
    limit: 'result_bytes',
    allowed: maxBytes,
  });

const noMemory = (): AppError =>
  new AppError('too-many', say('engines.resultMemoryFull'), { limit: 'result_memory' });
