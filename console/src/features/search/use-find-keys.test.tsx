import { completionStatus, startCompletion } from '@codemirror/autocomplete';
import { EditorView } from '@codemirror/view';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { createRef, useRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KqlEditor, type KqlEditorHandle } from '../../query-kit/editor/kql-editor.tsx';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { useFindKeys } from './use-find-keys.ts';

vi.mock('../../query-kit/editor/kql-worker-client.ts', () => ({
  askKqlWorker: () => Promise.reject(new Error('no worker')),
  teachKqlWorker: () => undefined,
  teachKqlWords: () => undefined,
}));

afterEach(() => {
  vi.restoreAllMocks();
  cleanup();
});

interface PageProps {
  readonly handle: React.RefObject<KqlEditorHandle | null>;
  readonly query: string;
}

function Page({ handle, query }: PageProps) {
  const main = useRef<HTMLDivElement>(null);
  useFindKeys(handle, main, 'Events');
  return (
    <div ref={main}>
      <button type="button">Fields</button>
      <KqlEditor value={query} onChange={() => undefined} ariaLabel="KQL query" handle={handle} />
      <div role="grid" tabIndex={0} aria-label="Results" />
    </div>
  );
}

async function openPage(query = 'Events') {
  stubCalls([]);
  const handle = createRef<KqlEditorHandle>();
  await renderScreen(<Page handle={handle} query={query} />, { access: sampleAccess() });
  return screen.getByRole('textbox', { name: 'KQL query' });
}

const press = (key: string) => act(() => fireEvent.keyDown(document.activeElement ?? document.body, { key }));

describe('keys of Find', () => {
  it('[R-C8] the editor has the focus on arrival; Escape leaves it, r goes to the results, / comes back', async () => {
    const editor = await openPage();
    expect(document.activeElement).toBe(editor);
    press('Escape');
    expect(document.activeElement).toBe(document.body);
    press('r');
    expect(document.activeElement).toBe(screen.getByRole('grid'));
    press('/');
    expect(document.activeElement).toBe(editor);
  });

  it('[R-C8] what is typed on arrival replaces the suggested query, and goes on behind one that was written', async () => {
    for (const [query, expected] of [
      ['Events', 'Dns'],
      ['Dns | take', 'Dns | takeDns'],
    ]) {
      const view = EditorView.findFromDOM(await openPage(query)) as EditorView;
      view.dispatch(view.state.replaceSelection('Dns'));
      expect(view.state.doc.toString()).toBe(expected);
      cleanup();
    }
  });

  it('[R-C8] leaves what is typed into the editor alone', async () => {
    const editor = await openPage();
    // jsdom does not know that the editor is editable.
    Object.defineProperty(editor, 'isContentEditable', { value: true });
    press('r');
    press('/');
    expect(document.activeElement).toBe(editor);
  });

  it('[R-C7] Tab pressed as the list of completions opens indents nothing', async () => {
    const editor = await openPage();
    const view = EditorView.findFromDOM(editor) as EditorView;
    // The list takes no key during its first moments; here they do not end.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    view.dispatch({ changes: { from: 0, to: 6, insert: 'Dns | lat' }, selection: { anchor: 9 } });
    startCompletion(view);
    await vi.waitFor(() => expect(completionStatus(view.state)).toBe('active'));
    press('Tab');
    expect(view.state.doc.toString()).toBe('Dns | lat');
  });
});
