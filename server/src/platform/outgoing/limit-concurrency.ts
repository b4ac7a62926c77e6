import { say } from '@tyrian/contract';
import { AppError } from '../app-error.ts';

/** Runs a few at a time; the others wait in the order in which they came. */
export function limitConcurrency(max: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
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

/** Refuses what is too much for one key, such as an organization, instead of letting it wait. */
export function limitPerKey(max: number) {
  const running = new Map<string, number>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = running.get(key) ?? 0;
    if (before >= max) {
      throw new AppError('too-many', say('outgoing.tooManyConnections'));
    }
    running.set(key, before + 1);
    try {
      return await work();
    } finally {
      const left = (running.get(key) ?? 1) - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
    }
  };
}
