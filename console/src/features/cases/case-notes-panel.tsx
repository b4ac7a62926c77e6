import { Loader } from '@mantine/core';
import { IconArrowBarToRight, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Case, caseInfo, listCaseNotes, type ShownNote, shownNotes } from '@tyrian/contract';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './case-notes-panel.module.css';
import { CasePicker } from './case-picker.tsx';
import { NoteEntry } from './note-entry.tsx';
import { NoteInput } from './note-input.tsx';
import { chooseNotesCase, closeNotesPanel, useNotesPanel } from './notes-panel-store.ts';

// The notes of a case, 448 px at the right. As a drawer it belongs to the shell, floats over the page and picks any
// open case; in the other mode it stands inside a page, in its flow, for the case of that page. While a case is
// chosen its notes are read every 2 s, except when the tab is hidden.

const POLL_MS = 2000;

interface PanelProps {
  readonly mode: 'drawer' | 'non-drawer';
  /** The case of the page, which the picker lists even when it is closed. */
  readonly current?: Case;
}

export function CaseNotesPanel({ mode, current }: PanelProps) {
  const { t } = useTranslation('cases');
  const { caseId } = useNotesPanel();
  const { clusterId, scopeId } = useScope();
  const chosen = current?.case_id ?? caseId;
  const known = useQuery(
    callQuery(
      caseInfo,
      { scope_id: scopeId, case_id: chosen ?? '' },
      { params: { clusterId }, enabled: chosen !== null && !current, quiet: true },
    ),
  );
  const one = current ?? (chosen ? known.data : undefined);
  return (
    <aside className={classes.panel} data-mode={mode} aria-label={t('notes.title')}>
      <header className={classes.head}>
        <strong>{t('notes.title')}</strong>
        {mode === 'drawer' ? (
          <IconButton label={t('notes.close')} size={26} onClick={closeNotesPanel}>
            <IconArrowBarToRight size={16} />
          </IconButton>
        ) : (
          <IconButton label={t('ui:close')} size={26} onClick={closeNotesPanel}>
            <IconX size={16} />
          </IconButton>
        )}
      </header>
      <div className={classes.picker}>
        <CasePicker current={one} value={chosen} onChange={chooseNotesCase} />
      </div>
      {chosen === null ? (
        <div className={classes.none}>{t('notes.none')}</div>
      ) : (
        <NotesOfCase key={chosen} caseId={chosen} isClosed={one?.status === 'CLOSED'} />
      )}
    </aside>
  );
}

function NotesOfCase({ caseId, isClosed }: { readonly caseId: string; readonly isClosed: boolean }) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const notes = useQuery(
    callQuery(
      listCaseNotes,
      { scope_id: scopeId, case_ids: [caseId] },
      { params: { clusterId }, every: POLL_MS, quiet: true },
    ),
  );
  const shown = useMemo(
    () => shownNotes(notes.data?.flatMap((entry) => entry[caseId] ?? []) ?? []),
    [notes.data, caseId],
  );
  if (notes.isLoadingError) return <ErrorPanel error={notes.error} onRetry={() => void notes.refetch()} />;
  return (
    <>
      <NoteList notes={shown} isLoading={!notes.data} />
      {isClosed ? <p className={classes.closed}>{t('notes.closed')}</p> : <NoteInput caseId={caseId} />}
    </>
  );
}

/** Oldest first; a new note is scrolled to, unless the reader is further up. */
function NoteList({
  notes,
  isLoading,
}: {
  readonly notes: readonly ShownNote[];
  readonly isLoading: boolean;
}) {
  const { t } = useTranslation('cases');
  const list = useRef<HTMLOListElement>(null);
  const wasAtEnd = useRef(true);
  const count = notes.length;
  useEffect(() => {
    if (count > 0 && list.current && wasAtEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, [count]);
  return (
    <ol
      ref={list}
      className={classes.list}
      aria-label={t('notes.title')}
      onScroll={({ currentTarget: box }) => {
        wasAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
      }}
    >
      {isLoading ? <Loader size="xs" /> : null}
      {!isLoading && notes.length === 0 ? <li className={classes.faint}>{t('notes.empty')}</li> : null}
      {notes.map((note) => (
        <NoteEntry key={note.note_id} note={note} />
      ))}
    </ol>
  );
}
