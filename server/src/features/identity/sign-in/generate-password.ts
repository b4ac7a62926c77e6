import { randomInt } from 'node:crypto';

// No letters that are easily mixed up, since generated passwords are read off a terminal.
const SETS = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789', '!.@,#&*%'] as const;
const LETTERS = SETS.slice(0, 3).join('');

/** A random password of 20 characters (about 110 bits) that keeps every password rule. */
export function generatePassword(): string {
  const pick = (set: string) => set[randomInt(set.length)] ?? '';
  const letters = [...SETS.map(pick), ...Array.from({ length: 16 }, () => pick(LETTERS))];
  for (let at = letters.length - 1; at > 0; at--) {
    const other = randomInt(at + 1);
    [letters[at], letters[other]] = [letters[other] ?? '', letters[at] ?? ''];
  }
  // A symbol at either end is easily lost when the password is copied.
  const symbol = (letter: string | undefined) => SETS[3].includes(letter ?? '');
  return symbol(letters[0]) || symbol(letters[19]) ? generatePassword() : letters.join('');
}
