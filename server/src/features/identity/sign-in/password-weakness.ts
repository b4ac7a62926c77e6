import type { Match, ZxcvbnFactory } from '@zxcvbn-ts/core';

// Whether a password that keeps the rules is still one of the first that an attacker tries: one of the well-known
// passwords, a row of keys, a repetition, a date, or a word about the user or the product, with the changes that
// everybody makes (case, leetspeak, digits and signs around it). The estimate is zxcvbn's (Wheeler, USENIX Security 2016).

export const WEAKNESSES = ['common', 'personal'] as const;
export type Weakness = (typeof WEAKNESSES)[number];

/** What an attacker knows of the owner of a password. */
export interface PasswordOwner {
  readonly name: string;
  readonly email: string;
  readonly organization: string;
}

/**
 * A password with a known pattern in it must need more guesses than this, in powers of ten. Random characters are
 * accepted at any length that the rules allow.
 */
const GUESSES_LOG10 = 9;
/** Letters beside the personal words, without which nothing of a password is the user's own idea. */
const OWN_LETTERS = 4;
const PRODUCT_WORDS = ['tyrian', 'siem', 'security', 'console'];
const LEET: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' };
const LEET_SIGNS: Readonly<Record<string, string>> = { '@': 'a', $: 's', '!': 'i' };

let factory: Promise<ZxcvbnFactory> | undefined;

/** The dictionaries take some megabytes: they are read when the first password is set. */
async function estimator(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]);
  return new core.ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
}

function personalWords({ name, email, organization }: PasswordOwner): string[] {
  const [mailbox = '', host = ''] = email.split('@');
  const words = [name, mailbox, organization, host].flatMap((text) =>
    text.toLowerCase().split(/[^\p{L}\p{N}]+/u),
  );
  const whole = [mailbox, name, organization].map((text) =>
    text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''),
  );
  return [...new Set([...PRODUCT_WORDS, ...words, ...whole])].filter((word) => word.length >= 3);
}

/** Whether next to nothing is left when the words are taken out of the password, as typed or in leetspeak. */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const lower = password.toLowerCase();
  const plain = [...lower].map((letter) => LEET[letter] ?? LEET_SIGNS[letter] ?? letter).join('');
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  return [lower, plain].some((text) => {
    const rest = longestFirst.reduce((left, word) => left.replaceAll(word, ' '), text);
    return rest !== text && (rest.match(/\p{L}/gu) ?? []).length < OWN_LETTERS;
  });
}

const isPersonal = (match: Match) => 'dictionaryName' in match && match.dictionaryName === 'userInputs';

/** Why the password is among the first that would be tried; null when it is not. */
export async function weaknessOf(password: string, owner: PasswordOwner): Promise<Weakness | null> {
  const words = personalWords(owner);
  if (isMadeOf(password, words)) return 'personal';
  factory ??= estimator();
  const zxcvbn = await factory;
  // A capital in a repetition hides it from the estimate, and hides it from nobody who guesses.
  for (const text of new Set([password, password.toLowerCase()])) {
    const { guessesLog10, sequence } = zxcvbn.check(text, words);
    const patterns = sequence.filter((match) => match.pattern !== 'bruteforce');
    if (patterns.length > 0 && guessesLog10 < GUESSES_LOG10) {
      return patterns.some(isPersonal) ? 'personal' : 'common';
    }
  }
  return null;
}
