import { listSavedQueries, readSavedQuery, type SavedQuery, saveQuery } from '@tyrian/contract';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import type { EditorCommand, KqlEditorHandle } from '../../query-kit/editor/kql-editor.tsx';
import type { LibraryPanel as Panel } from '../../query-kit/runs/search-link.ts';
import type { PastSearch } from './history-list.tsx';
import { LibraryPanel } from './library-panel.tsx';
import { SaveQueryDialog, type SaveTarget } from './save-query-dialog.tsx';
import { useSavedQuery } from './use-saved-query.ts';
import type { SearchPageState } from './use-search-page.ts';

// The library of Find: what was asked, what was saved, what can be put in. It opens at the right, by button or key,
// and stays while queries are tried.

export interface Library {
  /** The saved query that the text comes from; null when it comes from none. */
  readonly saved: SavedQuery | null;
  /** The text of the editor is no longer what is saved. */
  readonly isChanged: boolean;
  readonly onCommand: (command: EditorCommand) => void;
  readonly toggle: (panel: Panel) => void;
  readonly runPast: (search: PastSearch) => void;
  /** Opens the form to save the text. */
  readonly openSave: () => void;
  /** What stands at the right; null while it is closed. */
  readonly panel: ReactNode;
  readonly dialog: ReactNode;
}

const isNarrow = (): boolean => window.matchMedia('(max-width: 1023px)').matches;

export function useLibrary(page: SearchPageState, editor: RefObject<KqlEditorHandle | null>): Library {
  const { link, draft } = page;
  const { data, isError } = useSavedQuery(link.saved);
  const saved = link.saved === '' ? null : (data ?? null);
  const [target, setTarget] = useState<SaveTarget | null>(null);
  useOpenSaved(page, saved, isError);
  const saveNow = useSaveNow(page.clusterId, page.scopeId);
  const openSave = () => setTarget({ kind: 'query', text: draft, entry: saved });
  const toggle = (panel: Panel) => page.show({ panel: link.panel === panel ? '' : panel });
  const onCommand = (command: EditorCommand) => {
    if (command !== 'save') toggle(command);
    else if (draft.trim() === '') return;
    else if (saved?.editable) saveNow(saved, draft);
    else setTarget({ kind: 'query', text: draft, entry: null });
  };
  const actions = libraryActions(page, editor);
  return {
    saved,
    isChanged: saved !== null && saved.text !== draft,
    onCommand,
    toggle,
    runPast: actions.onRunPast,
    openSave,
    panel: link.panel !== '' && (
      <LibraryPanel
        panel={link.panel}
        text={draft}
        onPanel={(panel) => page.show({ panel })}
        onSave={setTarget}
        {...actions}
      />
    ),
    dialog: (
      <SaveQueryDialog
        target={target}
        range={{ from: link.from, to: link.to }}
        onClose={() => setTarget(null)}
        onSaved={(entry) => entry.kind === 'query' && page.show({ saved: entry.id })}
      />
    ),
  };
}

/** What choosing an entry does. On a narrow screen the library makes room for the editor. */
function libraryActions(page: SearchPageState, editor: RefObject<KqlEditorHandle | null>) {
  const panelAfter = () => (isNarrow() ? ({ panel: '' } as const) : {});
  const take = (text: string, saved: string, range: TimeRange | null) => {
    editor.current?.replace(text);
    // A range would run what is shown again.
    page.show({ saved, ...(page.link.query === '' ? range : {}), ...panelAfter() });
  };
  return {
    onTakePast: (search: PastSearch) => take(search.query, '', rangeOf(search)),
    onRunPast: (search: PastSearch) =>
      page.open(search.query, { saved: '', ...rangeOf(search), ...panelAfter() }),
    onAppendPast: ({ query }: PastSearch) => {
      editor.current?.append(query);
      page.show(panelAfter());
    },
    onTakeSaved: (entry: SavedQuery) => take(entry.text, entry.id, entry.range),
    onRunSaved: (entry: SavedQuery) =>
      page.open(entry.text, { saved: entry.id, ...entry.range, ...panelAfter() }),
    onInsertSnippet: (template: string) => {
      editor.current?.insert(template);
      page.show(panelAfter());
    },
  };
}

function rangeOf(search: PastSearch): TimeRange {
  const text = (time: string | number) => (typeof time === 'number' ? new Date(time).toISOString() : time);
  return { from: text(search.from), to: text(search.to) };
}

/** A link that names a saved query and no text opens that query; one that is gone is said to be. */
function useOpenSaved(page: SearchPageState, saved: SavedQuery | null, isGone: boolean): void {
  const { t } = useTranslation('search');
  const isWanted = page.link.saved !== '' && page.link.query === '';
  const settle = useEffectEvent((savedId: string | undefined, gone: boolean) => {
    if (saved && saved.id === savedId) page.open(saved.text, { saved: saved.id, ...saved.range });
    if (gone) {
      notify('failed', t('library.gone'));
      page.show({ saved: '' });
    }
  });
  const savedId = saved?.id;
  useEffect(() => {
    if (isWanted) settle(savedId, isGone);
  }, [isWanted, savedId, isGone]);
}

/** Saves the text into an entry as it stands, without asking. */
function useSaveNow(clusterId: string, scopeId: string): (entry: SavedQuery, text: string) => void {
  const { t } = useTranslation('search');
  const mutation = useCallMutation(saveQuery, { stale: [listSavedQueries, readSavedQuery] });
  return (entry, text) => {
    const { id, version, kind, name, description, folder, tags, range, shared } = entry;
    const input = { id, version, kind, name, description, folder, tags, range, shared, text };
    mutation.mutate(
      { params: { clusterId }, input: { ...input, scope_id: scopeId } },
      { onSuccess: () => notify('done', t('save.done.query'), name) },
    );
  };
}
