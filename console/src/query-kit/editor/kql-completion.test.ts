import { autocompletion, completionStatus, currentCompletions } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { describe, expect, it, vi } from 'vitest';
import { insertAndGoOn } from './kql-completion.ts';

const NEXT = [{ label: 'EventResult' }];

function editorWith(doc: string) {
  const source = autocompletion({
    override: [(context) => (context.explicit ? { from: context.pos, options: NEXT } : null)],
  });
  const view = new EditorView({
    state: EditorState.create({ doc, selection: { anchor: doc.length }, extensions: source }),
    parent: document.body,
  });
  view.focus();
  return view;
}

describe('accepting a completion', () => {
  it('[R-F17] opens the list of what follows: a column behind where', async () => {
    const view = editorWith('Dns | wh');
    insertAndGoOn('where ', '')(view, { label: 'where' }, 6, 8);
    expect(view.state.doc.toString()).toBe('Dns | where ');
    await vi.waitFor(() => expect(completionStatus(view.state)).toBe('active'));
    expect(currentCompletions(view.state)).toEqual(NEXT);
  });

  it('[R-F17] opens the values within the quotes that it puts in', async () => {
    const view = editorWith('Dns | where DnsQuery ');
    insertAndGoOn('has "', '"')(view, { label: 'has' }, 21, 21);
    expect(view.state.doc.toString()).toBe('Dns | where DnsQuery has ""');
    await vi.waitFor(() => expect(completionStatus(view.state)).toBe('active'));
  });

  it('leaves a name that nothing has to follow alone', () => {
    const view = editorWith('Dns | project Dn');
    insertAndGoOn('DnsQuery', '')(view, { label: 'DnsQuery' }, 14, 16);
    expect(view.state.doc.toString()).toBe('Dns | project DnsQuery');
    expect(completionStatus(view.state)).toBeNull();
  });
});
