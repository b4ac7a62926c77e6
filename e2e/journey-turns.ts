import { mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, inject } from 'vitest';

// Two files of journeys run at a time, against one server. What both would change, or one would see change under its
// hands, they do one after the other.

export type Shared =
  | 'the mail server'
  | 'the signals of the attack'
  | 'the line above every page'
  | 'what stands in lists of administration and workbooks';

const LOOK_EVERY_MS = 100;
/** The other's journeys may take their time on a busy machine. */
const PATIENCE_MS = 900_000;

/** Said of a file or a `describe`: its journeys begin when nobody else has `shared`, and nobody else has it until their end. */
export function takeTurns(shared: Shared): void {
  const turn = () =>
    path.join(path.dirname(inject('journeyServer').secretsFile), `turn of ${shared.replaceAll(' ', '-')}`);
  let isOurs = false;
  beforeAll(async () => {
    while (!isOurs) {
      isOurs = tryToMake(turn());
      if (!isOurs) await pause(LOOK_EVERY_MS);
    }
  }, PATIENCE_MS);
  afterAll(() => {
    if (isOurs) rmdirSync(turn());
    isOurs = false;
  });
}

/** Of several that try at once, one makes the folder. */
function tryToMake(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
