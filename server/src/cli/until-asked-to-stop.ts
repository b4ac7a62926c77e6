/**
 * Resolves with the name of the first SIGTERM or SIGINT. A second one ends the process at once: the engines end
 * by themselves when it is gone.
 */
export function untilAskedToStop(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(130);
        asked = true;
        resolve(signal);
      });
    }
  });
}
