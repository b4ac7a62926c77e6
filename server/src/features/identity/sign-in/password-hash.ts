import { hash, verify } from '@node-rs/argon2';
import { say } from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';

// argon2id. Hashing is dear by design, so only a few run at a time and only so many may wait: a flood of
// sign-ins is refused before it takes the processors and the memory from everybody else.

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const AT_ONCE = 3;
const MAY_WAIT = 100;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAY_WAIT) throw new AppError('too-many', say('auth.tooManySignIns'));
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** The PHC string of a password, with a salt of its own. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST));
}

/** Stands for the hash of an account whose user has not set a password yet: nothing fits it. */
export const NO_PASSWORD = '!';

let nobody: Promise<string> | undefined;

/**
 * Whether the password fits. Without a hash (an unknown account) a password that nobody has is checked
 * instead, so that the answer takes as long, and the answer is no.
 */
export async function passwordFits(storedHash: string | null, password: string): Promise<boolean> {
  nobody ??= hash(crypto.randomUUID(), COST);
  const isHash = storedHash !== null && storedHash !== NO_PASSWORD;
  const against = isHash ? storedHash : await nobody;
  const fits = await inTurn(() => verify(against, password));
  return isHash && fits;
}
