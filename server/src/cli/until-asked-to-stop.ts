import { readFileSync } from 'node:fs';
import { processStartTime } from '../engines/data-lock.ts';

const LOOK_EVERY_MS = 500;
/** A signal often arrives twice at once: to the group, and passed on by npm or timeout. */
const IMPATIENT_AFTER_MS = 1_000;

interface Ancestor {
  readonly parent: number;
  readonly command: string;
}

function ancestor(processId: number): Ancestor | null {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    const command = readFileSync(`/proc/${processId}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), command };
  } catch {
    return null;
  }
}

/** The npm that runs us through a script or npx, perhaps with a shell in between. */
function npmAbove(env: NodeJS.ProcessEnv): number | null {
  if (env.npm_lifecycle_event === undefined) return null;
  let processId = process.ppid;
  for (let step = 0; step < 3 && processId > 1; step++) {
    const found = ancestor(processId);
    if (!found) return null;
    if (/\bnp[mx]\b/.test(found.command) && !/^\S*sh -c/.test(found.command)) return processId;
    processId = found.parent;
  }
  return null;
}

/**
 * Resolves with the reason of the first SIGTERM or SIGINT, or when who started us is gone: a killed npm tells its
 * children nothing, a program of Node that keeps a channel to us closes it with its end. A second signal, a second later, ends the process at once; the engines end by
 * themselves when it is gone.
 */
export function untilAskedToStop(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        const now = performance.now();
        askedAt ??= now;
        if (now - askedAt > IMPATIENT_AFTER_MS) process.exit(130);
        resolve(signal);
      });
    }
    if (process.connected) {
      process.once('disconnect', () => {
        askedAt ??= performance.now();
        resolve('the program that started it is gone');
      });
      // To listen would keep the process alive.
      process.channel?.unref();
    }
    const npm = npmAbove(env);
    if (npm === null) return;
    const since = processStartTime(npm);
    const timer = setInterval(() => {
      if (processStartTime(npm) === since) return;
      clearInterval(timer);
      askedAt ??= performance.now();
      resolve('npm is gone');
    }, LOOK_EVERY_MS);
    timer.unref();
  });
}
