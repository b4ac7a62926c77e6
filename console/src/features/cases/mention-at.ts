import type { MentionablePerson } from '@tyrian/contract';

/** A mention that is being typed: from the `@` to the caret. */
export interface OpenMention {
  readonly start: number;
  readonly text: string;
}

const MOST_LETTERS = 40;
const MOST_SHOWN = 8;

/** The mention before the caret; null when none is being typed there. */
export function mentionAt(text: string, caret: number): OpenMention | null {
  const start = text.lastIndexOf('@', caret - 1);
  if (start < 0 || caret - start > MOST_LETTERS) return null;
  const before = text[start - 1];
  const typed = text.slice(start + 1, caret);
  if (before !== undefined && /[\p{L}\p{N}_.]/u.test(before)) return null;
  return /[\n\r@]|\s\s|^\s/.test(typed) ? null : { start, text: typed };
}

/** Who is meant by what is typed: names that begin with it, then names and addresses that hold it. */
export function peopleFor(typed: string, people: readonly MentionablePerson[]): MentionablePerson[] {
  const wanted = typed.toLowerCase();
  const rank = ({ name, email_id }: MentionablePerson) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(wanted)) return 0;
    if (lower.split(/\s+/).some((word) => word.startsWith(wanted))) return 1;
    return lower.includes(wanted) || email_id.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return people
    .map((person) => ({ person, place: rank(person) }))
    .filter(({ place: position }) => position < 3)
    .sort((one, two) => one.place - two.place)
    .slice(0, MOST_SHOWN)
    .map(({ person }) => person);
}

/** The text with the mention written out, and where the caret stands then. Of two of one name the address is written. */
export function writeMention(
  text: string,
  { start, text: typed }: OpenMention,
  person: MentionablePerson,
  people: readonly MentionablePerson[],
): { readonly text: string; readonly caret: number } {
  const isAlone = people.filter((one) => one.name.toLowerCase() === person.name.toLowerCase()).length < 2;
  const written = `@${isAlone ? person.name : person.email_id} `;
  const after = text.slice(start + 1 + typed.length).replace(/^ /, '');
  return { text: text.slice(0, start) + written + after, caret: start + written.length };
}
