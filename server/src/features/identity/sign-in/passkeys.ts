import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { bringsCertificates } from './attestation-certificates.ts';
import type { SignInTables } from './sign-in-tables.ts';

// Passkeys (WebAuthn) as a second factor: making them, and proving that one is at hand. What is signed is bound to
// the origin of the console, to a nonce of this one attempt, and to the credentials of this user.

type PasskeyRow = Selectable<SignInTables['passkey']>;
type Transports = NonNullable<
  Parameters<typeof generateAuthenticationOptions>[0]['allowCredentials']
>[number]['transports'];

const relyingParty = (origin: string) => new URL(origin).hostname;
const asJson = (value: unknown) => value as Record<string, unknown>;

export function passkeysOf(db: IdentityDb, userId: string): Promise<PasskeyRow[]> {
  return db.selectFrom('passkey').selectAll().where('user_id', '=', userId).orderBy('created_at').execute();
}

/** What the browser needs to make a passkey, and the nonce to keep. */
export async function registrationOptions(
  person: { readonly userId: string; readonly email: string; readonly name: string },
  known: readonly PasskeyRow[],
  origin: string,
): Promise<{ options: Record<string, unknown>; nonce: string }> {
  const options = await generateRegistrationOptions({
    rpName: 'Tyrian',
    rpID: relyingParty(origin),
    userName: person.email,
    userDisplayName: person.name,
    userID: new TextEncoder().encode(person.userId),
    attestationType: 'none',
    excludeCredentials: known.map((row) => ({
      id: row.credential_id,
      transports: row.transports as Transports,
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  return { options: asJson(options), nonce: options.challenge };
}

/** The new passkey when the answer is good, else null. */
export async function checkRegistration(
  answer: Record<string, unknown>,
  nonce: string,
  origin: string,
): Promise<Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports'> | null> {
  const response = answer as unknown as RegistrationResponseJSON;
  const checked = await quietly(async () => {
    if (bringsCertificates(response.response.attestationObject)) return null;
    return verifyRegistrationResponse({
      response,
      expectedChallenge: nonce,
      expectedOrigin: origin,
      expectedRPID: relyingParty(origin),
      requireUserVerification: false,
    });
  });
  if (!checked?.verified) return null;
  const { credential } = checked.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])],
  };
}

/** What a passkey has to sign, and the nonce to keep. */
export async function signingOptions(
  known: readonly PasskeyRow[],
  origin: string,
): Promise<{ options: Record<string, unknown>; nonce: string }> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(origin),
    userVerification: 'preferred',
    allowCredentials: known.map((row) => ({
      id: row.credential_id,
      transports: row.transports as Transports,
    })),
  });
  return { options: asJson(options), nonce: options.challenge };
}

/** Whether one of the user's passkeys signed the nonce; keeps its counter, so that a copy of it shows. */
export async function checkSigned(
  db: IdentityDb,
  asked: { readonly userId: string; readonly nonce: string; readonly origin: string; readonly now: number },
  answer: Record<string, unknown>,
): Promise<boolean> {
  const row = (await passkeysOf(db, asked.userId)).find((one) => one.credential_id === answer.id);
  if (!row) return false;
  const checked = await quietly(() =>
    verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: asked.nonce,
      expectedOrigin: asked.origin,
      expectedRPID: relyingParty(asked.origin),
      requireUserVerification: false,
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(row.public_key),
        counter: row.counter,
        transports: row.transports as Transports,
      },
    }),
  );
  if (!checked?.verified) return false;
  await db
    .updateTable('passkey')
    .set({ counter: checked.authenticationInfo.newCounter, last_used_at: timestamp(asked.now) })
    .where('credential_id', '=', row.credential_id)
    .execute();
  return true;
}

/** The libraries throw on malformed and on wrong answers alike: both mean no. */
async function quietly<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch {
    return null;
  }
}
