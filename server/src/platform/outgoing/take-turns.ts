import { say } from '@tyrian/contract';
import { AppError } from '../app-error.ts';

/** Runs a few at a time; the others wait in the order in which they came. */
export function takingTurns(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Refuses what is too much for one asker instead of letting it wait. */
export function boundedPerAsker(most: number) {
  const running = new Map<string, number>();
  return async <T>(asker: string, work: () => Promise<T>): Promise<T> => {
    const before = running.get(asker) ?? 0;
    if (before >= most) {
      throw new AppError('too-many', say('outgoing.tooManyConnections'));
    }
    running.set(asker, before + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(asker) ?? 1) - 1;
      if (left === 0) running.delete(asker);
      else running.set(asker, left);
    }
  };
}
