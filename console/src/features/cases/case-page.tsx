import { Button } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { CallError } from '../../lib/call.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { useNow } from '../../lib/use-now.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { CaseNewsLine } from '../live/public.ts';
import { CaseCanvas } from './case-canvas.tsx';
import { type CaseFocus, entityKey, NO_FOCUS } from './case-focus.ts';
import { CaseHead } from './case-head.tsx';
import { CaseNotesPanel } from './case-notes-panel.tsx';
import classes from './case-page.module.css';
import { useCase } from './case-queries.ts';
import { CaseSide } from './case-side.tsx';
import { leavePageNotes, openPageNotes, useNotesPanel } from './notes-panel-store.ts';

/** What a case says to the component that shows one of its signals. */
export interface SignalPanelProps {
  readonly signalId: string;
  /** The ids of the signals of the case, in the order of its list. */
  readonly signalIds: readonly string[];
  readonly onSignal: (signalId: string | null) => void;
  readonly onEntity: (entity: { readonly type: string; readonly value: string }) => void;
}

/** One case at work: its state and the next steps on top, evidence at the left, how it hangs together at the right. */
export function CasePage({ SignalPanel }: { readonly SignalPanel: ComponentType<SignalPanelProps> }) {
  const caseId = useParams().type ?? '';
  const { info, ...parts } = useCase(caseId);
  const [tab, setTab] = useAddressParam('tab');
  const [view, setView] = useAddressParam('view');
  const { signalId, focus, setFocus } = useCaseFocus();
  const notes = useNotesPanel();
  // The age in its head goes on.
  useNow();
  useNotesOfPage(caseId);
  if (info.isLoadingError) {
    const isMissing = info.error instanceof CallError && info.error.status === 404;
    if (isMissing) return <MissingCase />;
    return <ErrorPanel error={info.error} onRetry={() => void info.refetch()} />;
  }
  const look = { ...parts, focus, onFocus: setFocus };
  return (
    <div className={classes.page}>
      {info.data ? <CaseHead one={info.data} /> : <div className={classes.headSpace} />}
      <CaseNewsLine key={caseId} caseId={caseId} updated={info.data?.updated} />
      <div className={classes.body}>
        <CaseSide {...look} tab={tab || 'signals'} onTab={setTab} one={info.data} />
        <CaseCanvas {...look} view={view === 'kill-chain' ? view : 'graph'} onView={setView} />
        {signalId === '' ? null : (
          <SignalPanel
            signalId={signalId}
            signalIds={(parts.signals.data?.data ?? []).map((signal) => signal.signal_id)}
            onSignal={(id) => setFocus({ signalId: id, entityKey: null })}
            onEntity={(entity) => setFocus({ signalId: null, entityKey: entityKey(entity) })}
          />
        )}
        {notes.open === 'page' && info.data ? <CaseNotesPanel mode="non-drawer" current={info.data} /> : null}
      </div>
    </div>
  );
}

/** What is lit. The opened signal stands in the address, so that a link leads to it. */
function useCaseFocus() {
  const [signalId, setSignalId] = useAddressParam('signal');
  const [lit, setLit] = useState<CaseFocus>(NO_FOCUS);
  const focus = signalId === '' ? lit : { signalId, entityKey: null };
  const setFocus = (next: CaseFocus) => {
    setLit(next);
    setSignalId(next.signalId ?? '');
  };
  return { signalId, focus, setFocus };
}

/** A link to the notes, as of a mention, opens them; leaving the page closes them. */
function useNotesOfPage(caseId: string): void {
  const [notes] = useAddressParam('notes');
  const opensNotes = notes === 'open';
  useEffect(() => leavePageNotes, []);
  useEffect(() => {
    if (opensNotes) openPageNotes(caseId);
  }, [opensNotes, caseId]);
}

function MissingCase() {
  const { t } = useTranslation('cases');
  const scope = useScope();
  return (
    <EmptyState kind="no-right" title={t('page.missing')} text={t('page.missingText')}>
      <Button variant="default" component={Link} to={scopePath(scope, '/incident/cases')}>
        {t('page.showAll')}
      </Button>
    </EmptyState>
  );
}
