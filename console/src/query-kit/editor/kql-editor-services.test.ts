import { setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { diagnoseKql, eventSchema, formatKql } from '@tyrian/kql';
import { describe, expect, it, vi } from 'vitest';
import { applyFix, formatKqlIn, markersOf, mendAtCursor } from './kql-editor-services.ts';
import { askKqlWorker } from './kql-worker-client.ts';

vi.mock('./kql-worker-client.ts', () => ({ askKqlWorker: vi.fn() }));

const schema = eventSchema([]);

function editorWith(doc: string, cursor = doc.length): EditorView {
  return new EditorView({ state: EditorState.create({ doc, selection: { anchor: cursor } }) });
}

describe('laying out the text of the editor', () => {
  const query = 'Dns | where EventID == 22 | take 5';

  it('[R-C5] works with the cursor at the end, where it stays', async () => {
    vi.mocked(askKqlWorker).mockImplementation(async () => formatKql(query, schema));
    const view = editorWith(query);
    await formatKqlIn(view);
    expect(view.state.doc.lines).toBe(3);
    expect(view.state.selection.main.head).toBe(view.state.doc.length);
  });

  it('[R-C5] counts the cursor in the lines of the editor, whatever ends the lines of the answer', async () => {
    vi.mocked(askKqlWorker).mockImplementation(async () => 'Dns\r\n| where EventID == 22\r\n| take 5');
    const view = editorWith(query, query.indexOf(' | take'));
    await formatKqlIn(view);
    expect(view.state.doc.sliceString(0, view.state.selection.main.head)).toBe('Dns\n| where EventID == 22');
  });

  it('[R-C5] mends a mistake with a text of several lines from another system', () => {
    const view = editorWith('x');
    applyFix(
      view,
      { span: { start: 0, end: 1 }, text: 'Dns\r\n| take 5\r\n| count' },
      { run: () => undefined },
    );
    expect(view.state.selection.main.head).toBe(view.state.doc.length);
  });
});

describe('words that are no query', () => {
  it('[R-C7] one key searches all events for them', () => {
    const words = 'powershell -enc';
    const view = editorWith(words, 0);
    const run = vi.fn();
    const found = diagnoseKql(words, schema, new Date(0));
    const markers = markersOf(found, words.length, { name: ({ search }) => `Search for ${search}`, run });
    view.dispatch(setDiagnostics(view.state, markers));
    expect(markers[0]?.actions?.map(({ name }) => name)).toEqual(['Search for powershell -enc']);
    expect(mendAtCursor(view)).toBe(true);
    expect(view.state.doc.toString()).toBe('search "powershell" and "-enc"');
    expect(run).toHaveBeenCalledOnce();
  });

  it('[R-C7] the key mends a mistake on another line, and a change that makes no search does not run', () => {
    const query = 'Authentication\n| where EventResult == Failure';
    const view = editorWith(query, 0);
    const run = vi.fn();
    const markers = markersOf(diagnoseKql(query, schema, new Date(0)), query.length, { name: () => '', run });
    view.dispatch(setDiagnostics(view.state, markers));
    mendAtCursor(view);
    expect(view.state.doc.toString()).toBe('Authentication\n| where EventResult == "Failure"');
    expect(run).not.toHaveBeenCalled();
  });
});
