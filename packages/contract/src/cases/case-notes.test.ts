import { describe, expect, it } from 'vitest';
import type { CaseNote } from './case.ts';
import { ensureEscaped, escapeNote, ON_HOLD_PHRASE, readNote, shownNotes } from './case-notes.ts';

/** Texts of all lengths over the letters that matter. */
function* texts(): Generator<string> {
  const pieces = [
    '&',
    '&amp;',
    '&lt;',
    '&#39;',
    'amp;',
    '<',
    '>',
    '"',
    "'",
    ' ',
    'é',
    '中',
    '\n',
    '&&lt;;',
    'x',
  ];
  for (const a of pieces) for (const b of pieces) for (const c of pieces) yield a + b + c;
}

describe('note text', () => {
  it('[S5-01][S5-03] is trimmed and escaped', () => {
    expect(escapeNote('  <b>"Tom" & \'Jerry\'</b>\n')).toBe(
      '&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;',
    );
    expect(escapeNote(' \n\t ')).toBe('');
  });

  it('[S5-03] comes back as it was typed, and is escaped once however often it is made sure', () => {
    for (const text of texts()) {
      const escaped = escapeNote(text);
      expect(readNote(escaped)).toBe(text.trim());
      expect(ensureEscaped(escaped)).toBe(escaped);
      const sure = ensureEscaped(text);
      expect(sure).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      expect(ensureEscaped(sure)).toBe(sure);
    }
  });
});

const note = (kind: CaseNote['kind'], notes: string, author: string): CaseNote => ({
  note_id: notes,
  notes,
  author,
  cnam_time: 1,
  tag_list: [],
  kind,
});

describe('shown notes', () => {
  it('[S4-07] an on-hold note takes the text of the system note after it as author', () => {
    const shown = shownNotes([
      note('user', 'first', 'Ann'),
      note('system', ON_HOLD_PHRASE, 'System'),
      note('system', 'Ann O&#39;Neil', 'System'),
      note('user', 'last', 'Ann'),
    ]);
    expect(shown.map(({ text, author }) => [text, author])).toEqual([
      ['first', 'Ann'],
      [ON_HOLD_PHRASE, "Ann O'Neil"],
      ['last', 'Ann'],
    ]);
  });

  it('[S4-07] the phrase in a note of a person, or without a system note after it, changes nothing', () => {
    const written = [note('user', ON_HOLD_PHRASE, 'Ann'), note('system', 'Severity', 'System')];
    expect(shownNotes(written).map((one) => one.author)).toEqual(['Ann', 'System']);
    const alone = [note('system', ON_HOLD_PHRASE, 'System'), note('user', 'hi', 'Ann')];
    expect(shownNotes(alone).map((one) => one.author)).toEqual(['System', 'Ann']);
  });
});
