/** What is watched of a socket. */
interface Watched {
  readonly bytesRead: number;
  destroy(): unknown;
}

const LOOK_MS = 25;

/**
 * Ends connections that libraries read on their own, with buffers that have no limit: after `timeMs` in all, or once
 * `maxBytes` have come. Answers what stops the watch. `socketNow` is asked each time, because STARTTLS replaces it.
 */
export function watchSocket(
  socketNow: () => Watched | undefined,
  { timeMs, maxBytes }: { readonly timeMs: number; readonly maxBytes: number },
): () => void {
  const endsAt = performance.now() + timeMs;
  const timer = setInterval(() => {
    const socket = socketNow();
    if (socket && (socket.bytesRead > maxBytes || performance.now() > endsAt)) socket.destroy();
  }, LOOK_MS);
  return () => clearInterval(timer);
}
