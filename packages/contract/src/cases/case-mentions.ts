// Mentions in notes: `@` and the name or the address of somebody who may see the case, wherever no word runs on before
// or after it. Plain text; see readNote for what is stored.

/** Somebody who can be mentioned. */
export interface MentionablePerson {
  readonly user_id: string;
  readonly name: string;
  readonly email_id: string;
}

interface FoundMention {
  readonly start: number;
  readonly end: number;
  readonly people: readonly MentionablePerson[];
}

const isWord = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);

/** Everybody whose name or address stands at the `@`; the longest wins, and people of one name all count. */
function mentionAt(text: string, at: number, people: readonly MentionablePerson[]): FoundMention | null {
  if (isWord(text[at - 1])) return null;
  const rest = text.slice(at + 1).toLowerCase();
  let length = 0;
  let found: MentionablePerson[] = [];
  for (const person of people) {
    for (const called of [person.name, person.email_id]) {
      const name = called.trim().toLowerCase();
      if (name === '' || name.length < length || !rest.startsWith(name) || isWord(rest[name.length]))
        continue;
      if (name.length > length) found = [];
      length = name.length;
      if (!found.includes(person)) found.push(person);
    }
  }
  return found.length === 0 ? null : { start: at, end: at + 1 + length, people: found };
}

/** The mentions in a text, in order. */
export function findMentions(text: string, people: readonly MentionablePerson[]): FoundMention[] {
  const found: FoundMention[] = [];
  for (let at = text.indexOf('@'); at >= 0; ) {
    const mention = mentionAt(text, at, people);
    if (mention) found.push(mention);
    at = text.indexOf('@', mention ? mention.end : at + 1);
  }
  return found;
}

/** The ids of those whom a text mentions, each once. */
export function mentionsIn(text: string, people: readonly MentionablePerson[]): string[] {
  const ids = findMentions(text, people).flatMap((mention) => mention.people.map((one) => one.user_id));
  return [...new Set(ids)];
}
