import type { CaseNote } from './case.ts';

// Escaping of note text, once. A note travels and is stored as HTML-escaped text: the sender trims and
// escapes it (`escapeNote`), the server escapes whatever a sender left bare (`ensureEscaped`, which leaves
// escaped text as it is), and a reader turns it back into plain text (`readNote`) before showing it as
// text. Nobody inserts a note as HTML.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const PLAIN = Object.fromEntries(Object.entries(ENTITIES).map(([plain, entity]) => [entity, plain]));

/** Trims and escapes what a person typed. Whitespace only gives the empty string. */
export function escapeNote(text: string): string {
  return text.trim().replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}

/** Trims, and escapes what is not escaped yet: `ensureEscaped(escapeNote(x))` is `escapeNote(x)`. */
export function ensureEscaped(text: string): string {
  return text.trim().replace(/&(?!(?:amp|lt|gt|quot|#39);)|[<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}

/** The plain text of a stored note: `readNote(escapeNote(x))` is `x.trim()`. */
export function readNote(notes: string): string {
  return notes.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => PLAIN[entity] ?? entity);
}

export const SYSTEM_AUTHOR = 'System';
/** Text of the system note when a case is put on hold; the next system note is the name of who did it. */
export const ON_HOLD_PHRASE = 'The case was placed on hold';

/** A note as the panel shows it. */
export interface ShownNote {
  readonly note_id: string;
  readonly text: string;
  readonly author: string;
  readonly cnam_time: number;
  readonly tag_list: readonly string[];
  readonly kind: CaseNote['kind'];
  /** By which the text of a system note is translated. */
  readonly messageCode?: CaseNote['messageCode'];
  readonly messageValues?: CaseNote['messageValues'];
}

/**
 * Notes in order, as they are shown: a system note with the on-hold phrase takes the text of the note
 * after it as its author, and that note is not shown by itself.
 */
export function shownNotes(notes: readonly CaseNote[]): ShownNote[] {
  const shown: ShownNote[] = [];
  for (let at = 0; at < notes.length; at++) {
    const note = notes[at];
    if (!note) continue;
    const next = notes[at + 1];
    const named = note.kind === 'system' && note.notes.includes(ON_HOLD_PHRASE) && next?.kind === 'system';
    if (named) at++;
    shown.push({
      note_id: note.note_id,
      text: readNote(note.notes),
      author: named && next ? readNote(next.notes) : note.author,
      cnam_time: note.cnam_time,
      tag_list: note.tag_list,
      kind: note.kind,
      messageCode: note.messageCode,
      messageValues: note.messageValues,
    });
  }
  return shown;
}
