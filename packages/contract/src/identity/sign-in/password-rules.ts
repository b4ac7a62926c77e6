// The rules of a new password, in the order in which the form shows them. The form and the server run
// the same list, so that neither accepts what the other refuses.

const SPECIALS = '!.@,#&*%';

export const PASSWORD_RULES = ['length', 'upper', 'lower', 'digit', 'special'] as const;
export type PasswordRule = (typeof PASSWORD_RULES)[number];

/** How many earlier passwords may not be taken again, the present one included. */
export const PASSWORD_HISTORY = 3;

const holds: Record<PasswordRule, (password: string) => boolean> = {
  length: (password) => password.length >= 8 && password.length <= 30,
  upper: (password) => /\p{Lu}/u.test(password),
  lower: (password) => /\p{Ll}/u.test(password),
  digit: (password) => /[0-9]/.test(password),
  special: (password) => [...password].some((letter) => SPECIALS.includes(letter)),
};

/** The rules that a password breaks; empty when it may be used. */
export function brokenPasswordRules(password: string): readonly PasswordRule[] {
  return PASSWORD_RULES.filter((rule) => !holds[rule](password));
}
