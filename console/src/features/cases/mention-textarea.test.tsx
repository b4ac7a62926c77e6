import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { listScopeUsers } from '@tyrian/contract';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { mentionAt, peopleFor } from './mention-at.ts';
import { MentionTextarea } from './mention-textarea.tsx';

const person = (user_id: string, name: string) => ({ user_id, name, email_id: `${user_id}@corp.example` });
const PEOPLE = [
  person('ana', 'Ana Lim'),
  person('bo1', 'Bo'),
  person('bo2', 'Bo'),
  person('jan', 'Jan Ananas'),
];

let calls: ReturnType<typeof stubCalls>;
beforeEach(() => {
  calls = stubCalls([[listScopeUsers, () => ({ data: PEOPLE, total_count: PEOPLE.length })]]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  clearStored();
});

const saved = vi.fn();
function Note() {
  const [text, setText] = useState('');
  return <MentionTextarea aria-label="Note" value={text} onChange={setText} onKeyDown={saved} />;
}
const box = () => screen.getByLabelText<HTMLTextAreaElement>('Note');
const type = (value: string) => {
  fireEvent.change(box(), { target: { value, selectionStart: value.length } });
};
const names = () => screen.queryAllByRole('option').map((one) => one.textContent);

describe('[R-C34] mentioning somebody in a note', () => {
  it('offers those who may see the case, by name or address, and asks for nobody before an @', async () => {
    await renderScreen(<Note />, { access: sampleAccess({ role: 'Security Analyst' }) });
    type('hello ');
    expect(calls.seen).toEqual([]);
    type('hello @an');
    await waitFor(() => expect(names()).toEqual(['Ana Limana@corp.example', 'Jan Ananasjan@corp.example']));
    expect(calls.seen[0]?.input).toMatchObject({ scope_id: 's1', handlers_only: true });
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('Ana Lim');
    fireEvent.keyDown(box(), { key: 'ArrowDown' });
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('Jan');
    fireEvent.keyDown(box(), { key: 'ArrowUp' });
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(box().value).toBe('hello @Ana Lim ');
    expect(box().selectionStart).toBe('hello @Ana Lim '.length);
    expect(names()).toEqual([]);
    // With the list closed the keys are those of the text again.
    saved.mockClear();
    fireEvent.keyDown(box(), { key: 'Enter', ctrlKey: true });
    expect(saved).toHaveBeenCalledTimes(1);
  });

  it('writes the address where two have one name; the mouse and Escape do too', async () => {
    await renderScreen(<Note />, { access: sampleAccess({ role: 'Security Analyst' }) });
    type('@bo');
    await waitFor(() => expect(names()).toHaveLength(2));
    fireEvent.keyDown(box(), { key: 'Escape' });
    expect(names()).toEqual([]);
    type('@bo2');
    await waitFor(() => expect(names()).toHaveLength(1));
    fireEvent.mouseDown(screen.getByRole('option'));
    expect(box().value).toBe('@bo2@corp.example ');
  });

  it.each([
    ['ask @an', 7, { start: 4, text: 'an' }],
    ['@ana lim', 8, { start: 0, text: 'ana lim' }],
    ['mail@an', 7, null],
    ['@an\nx', 5, null],
    ['@ an', 4, null],
    ['no one', 6, null],
  ])('%j with the caret at %i', (text, caret, found) => {
    expect(mentionAt(text, caret)).toEqual(found);
  });

  it('puts names that begin with it first', () => {
    expect(peopleFor('ana', PEOPLE).map((one) => one.user_id)).toEqual(['ana', 'jan']);
    expect(peopleFor('', PEOPLE)).toHaveLength(4);
    expect(peopleFor('zz', PEOPLE)).toEqual([]);
  });
});
