// Memory for the rows of a decoding thread, which another thread sends to the store and gives back. It is shared, not moved: V8
// looks at all that a thread keeps whenever 64 MB of moved memory have come in, which for rows of a busy sender took the main
// thread a tenth of the processor time of ingest. Shared memory is not counted there, so it is used again instead of being
// left to V8. A scope gets only memory that held its own rows before.

/** Smaller blocks get memory of their own. */
const LEAST_BYTES = 256 * 1024;
const STEP_BYTES = 1024 * 1024;
/** What is kept for the next rows at most. */
const KEPT_BYTES = 96 * 1024 * 1024;
/** After so long without rows nothing is kept. */
const IDLE_MS = 30_000;

export interface RowMemory {
  /** Zeroes or older rows of the scope, to be written from the first byte to the last. */
  take(scopeId: string, bytes: number): Uint8Array;
  /** Nobody reads or sends from it any more. */
  giveBack(scopeId: string, buffer: SharedArrayBuffer): void;
}

interface Kept {
  readonly scopeId: string;
  readonly buffer: SharedArrayBuffer;
}

export function createRowMemory(): RowMemory {
  const kept: Kept[] = [];
  let forget: NodeJS.Timeout | null = null;

  const keepAWhile = () => {
    forget ??= setTimeout(() => {
      kept.length = 0;
    }, IDLE_MS).unref();
    forget.refresh();
  };
  return {
    take: (scopeId, bytes) => {
      if (bytes < LEAST_BYTES) return new Uint8Array(bytes);
      const fits = ({ byteLength }: SharedArrayBuffer) =>
        byteLength >= bytes && byteLength <= 2 * bytes + STEP_BYTES;
      const at = kept.findIndex((one) => one.scopeId === scopeId && fits(one.buffer));
      const [found] = at < 0 ? [] : kept.splice(at, 1);
      const buffer = found?.buffer ?? new SharedArrayBuffer(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES);
      return new Uint8Array(buffer, 0, bytes);
    },
    giveBack: (scopeId, buffer) => {
      kept.push({ scopeId, buffer });
      let held = kept.reduce((sum, one) => sum + one.buffer.byteLength, 0);
      while (held > KEPT_BYTES) held -= kept.shift()?.buffer.byteLength ?? held;
      keepAWhile();
    },
  };
}
