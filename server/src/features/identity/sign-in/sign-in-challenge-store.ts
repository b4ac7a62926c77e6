import { createHash, randomBytes } from 'node:crypto';
import type { SignInMethod } from '@tyrian/contract';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { IdentityDb } from '../identity-tables.ts';
import type { SignInTables } from './sign-in-tables.ts';

/** A sign-in that waits for its second step. */
export type Challenge = Selectable<SignInTables['sign_in_challenge']>;

/** A challenge ends after so long, and after so many wrong answers. */
export const CHALLENGE_MS = 10 * 60_000;
const CHALLENGE_ATTEMPTS = 5;

const hashToken = (token: string) => createHash('sha256').update(token).digest();

/** What is kept of a mailed code; bound to the token, so that it is good for one sign-in. */
export function hashMailCode(token: string, code: string): Buffer {
  return createHash('sha256').update(`${token} ${code}`).digest();
}

/** Keeps a new challenge; the token that names it, which is not kept. */
export async function insertChallenge(
  db: IdentityDb,
  begun: {
    readonly userId: string;
    readonly method: SignInMethod;
    readonly source: string;
    readonly userAgent: string;
    readonly sealedSecret: string | null;
  },
  now: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.deleteFrom('sign_in_challenge').where('expires_at', '<', timestamp(now)).execute();
  await db
    .insertInto('sign_in_challenge')
    .values({
      token_hash: hashToken(token),
      user_id: begun.userId,
      method: begun.method,
      source_address: begun.source,
      user_agent: begun.userAgent.slice(0, 300),
      expires_at: timestamp(now + CHALLENGE_MS),
      sealed_secret: begun.sealedSecret,
      mail_code_hash: null,
      mail_expires_at: null,
      mail_sent_at: null,
      passkey_nonce: null,
    })
    .execute();
  return token;
}

/** The challenge while it is good, whether or not attempts are left. */
export async function findChallenge(db: IdentityDb, token: string, now: number): Promise<Challenge | null> {
  const row = await db
    .selectFrom('sign_in_challenge')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', timestamp(now))
    .executeTakeFirst();
  return row ?? null;
}

/** Counts an attempt before it is looked at; null when none is left. Parallel attempts cannot slip through. */
export async function countAttempt(db: IdentityDb, challenge: Challenge): Promise<number | null> {
  const row = await db
    .updateTable('sign_in_challenge')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('token_hash', '=', challenge.token_hash)
    .where('attempts', '<', CHALLENGE_ATTEMPTS)
    .returning('attempts')
    .executeTakeFirst();
  return row ? CHALLENGE_ATTEMPTS - row.attempts : null;
}

/** Uses a challenge up; false when somebody else did. */
export async function takeChallenge(db: IdentityDb, challenge: Challenge): Promise<boolean> {
  const done = await db
    .deleteFrom('sign_in_challenge')
    .where('token_hash', '=', challenge.token_hash)
    .executeTakeFirst();
  return done.numDeletedRows > 0n;
}

/** Keeps what the passkey has to sign. */
export async function setNonce(db: IdentityDb, challenge: Challenge, nonce: string | null): Promise<void> {
  await db
    .updateTable('sign_in_challenge')
    .set({ passkey_nonce: nonce })
    .where('token_hash', '=', challenge.token_hash)
    .execute();
}

/** Reserves one mail: false when the last is too recent or none is left. */
export async function reserveMail(
  db: IdentityDb,
  challenge: Challenge,
  mail: {
    readonly codeHash: Buffer;
    readonly expires: number;
    readonly now: number;
    readonly pauseMs: number;
    readonly most: number;
  },
): Promise<number | null> {
  const row = await db
    .updateTable('sign_in_challenge')
    .set({
      mail_code_hash: mail.codeHash,
      mail_expires_at: timestamp(mail.expires),
      mail_sent_at: timestamp(mail.now),
      mails_sent: sql<number>`mails_sent + 1`,
    })
    .where('token_hash', '=', challenge.token_hash)
    .where('mails_sent', '<', mail.most)
    .where((where) =>
      where.or([
        where('mail_sent_at', 'is', null),
        where('mail_sent_at', '<=', timestamp(mail.now - mail.pauseMs)),
      ]),
    )
    .returning('mails_sent')
    .executeTakeFirst();
  return row?.mails_sent ?? null;
}
