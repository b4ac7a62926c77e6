import { describe, expect, it } from 'vitest';
import { findMentions, mentionsIn } from './case-mentions.ts';

const people = [
  { user_id: 'ana', name: 'Ana', email_id: 'ana@corp.example' },
  { user_id: 'anali', name: 'Ana Lim', email_id: 'a.lim@corp.example' },
  { user_id: 'li', name: '李雷', email_id: 'li@corp.example' },
  { user_id: 'bob1', name: 'Bob', email_id: 'bob1@corp.example' },
  { user_id: 'bob2', name: 'Bob', email_id: 'bob2@corp.example' },
];

describe('mentions in a note', () => {
  it.each([
    ['@Ana please look', ['ana']],
    ['thanks @ana lim, and @李雷', ['anali', 'li']],
    ['(@Ana), @Ana again', ['ana']],
    ['@a.lim@corp.example knows', ['anali']],
    ['ask @Bob', ['bob1', 'bob2']],
    ['mail to eve@Ana.example', []],
    ['@Anabel is nobody, @ is nobody', []],
    ['', []],
  ])('[R-C34] %j', (text, ids) => {
    expect(mentionsIn(text, people)).toEqual(ids);
  });

  it('say where they stand', () => {
    expect(findMentions('see @Ana Lim.', people).map(({ start, end }) => [start, end])).toEqual([[4, 12]]);
  });
});
