import { brokenPasswordRules, type PasswordRule, say, sayAll } from '@tyrian/contract';
import { AppError, notFound } from '../../../platform/app-error.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { readPerson } from './access-store.ts';
import { type PasswordOwner, weaknessOf } from './password-weakness.ts';
import { isPasswordUsedBefore } from './replace-password.ts';

// What a new password must be, on every way on which one is set: a change, a link, the command line, the first start.

const RULES = {
  length: 'passwords.ruleLength',
  upper: 'passwords.ruleUpper',
  lower: 'passwords.ruleLower',
  digit: 'passwords.ruleDigit',
  special: 'passwords.ruleSpecial',
} as const satisfies Record<PasswordRule, string>;

/** Throws AppError `bad-input`, naming the rules that the password breaks, or why it is easy to guess. */
export async function checkPassword(
  password: string,
  owner: PasswordOwner,
  field = 'password',
): Promise<void> {
  const broken = brokenPasswordRules(password);
  if (broken.length > 0) {
    throw new AppError(
      'bad-input',
      say('passwords.rulesBroken', { rules: sayAll(broken.map((rule) => say(RULES[rule]))) }),
      {
        field,
        broken,
      },
    );
  }
  const weakness = await weaknessOf(password, owner);
  if (weakness) throw new AppError('bad-input', say(`passwords.${weakness}`), { field, broken: [weakness] });
}

/** The same for a user who has one: it must not be one of the last either. */
export async function checkNewPassword(
  db: IdentityDb,
  userId: string,
  next: string,
  field = 'password',
): Promise<void> {
  const person = await readPerson(db, userId);
  if (!person) throw notFound();
  await checkPassword(next, { name: person.name, email: person.email, organization: person.orgName }, field);
  if (await isPasswordUsedBefore(db, userId, next)) {
    throw new AppError('bad-input', say('passwords.usedBefore'), { field, broken: ['history'] });
  }
}
