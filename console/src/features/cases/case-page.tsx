import { SegmentedControl } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { CallError } from '../../lib/call.ts';
import { useNow } from '../../lib/use-now.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntityChip } from '../../ui/entity-chip.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { CaseNewsLine } from '../live/public.ts';
import { ArtifactActions } from './artifact-actions.tsx';
import { type CaseFocus, entityKey, NO_FOCUS } from './case-focus.ts';
import { CaseHead } from './case-head.tsx';
import { CaseNotesPanel } from './case-notes-panel.tsx';
import classes from './case-page.module.css';
import { useCase } from './case-queries.ts';
import { CaseRelations } from './case-relations.tsx';
import { CaseSide } from './case-side.tsx';
import { KillChainGrid } from './kill-chain-grid.tsx';
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
  const { t } = useTranslation('cases');
  const caseId = useParams().type ?? '';
  const { info, signals, entities, graph, history } = useCase(caseId);
  const [params, setParams] = useSearchParams();
  const [lit, setLit] = useState<CaseFocus>(NO_FOCUS);
  const notes = useNotesPanel();
  // The age in its head goes on.
  useNow();
  useEffect(() => leavePageNotes, []);
  // A link to the notes, as of a mention, opens them.
  const opensNotes = params.get('notes') === 'open';
  useEffect(() => {
    if (opensNotes) openPageNotes(caseId);
  }, [opensNotes, caseId]);
  const view = params.get('view') === 'kill-chain' ? 'kill-chain' : 'graph';
  if (info.isLoadingError) {
    const isMissing = info.error instanceof CallError && info.error.status === 404;
    return isMissing ? (
      <EmptyState kind="no-right" title={t('page.missing')} text={t('page.missingText')} />
    ) : (
      <ErrorPanel error={info.error} onRetry={() => void info.refetch()} />
    );
  }
  const set = (name: string, value: string) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  // The opened signal stands in the address, so that a link leads to it.
  const signalId = params.get('signal');
  const focus = signalId === null ? lit : { signalId, entityKey: null };
  const setFocus = (next: CaseFocus) => {
    setLit(next);
    set('signal', next.signalId ?? '');
  };
  const chosen = entities.data?.find((entity) => entityKey(entity) === focus.entityKey);
  return (
    <div className={classes.page}>
      {info.data ? <CaseHead one={info.data} /> : <div className={classes.headSpace} />}
      <CaseNewsLine key={caseId} caseId={caseId} updated={info.data?.updated} />
      <div className={classes.body}>
        <CaseSide
          tab={params.get('tab') ?? 'signals'}
          onTab={(tab) => set('tab', tab)}
          one={info.data}
          signals={signals}
          entities={entities}
          history={history}
          focus={focus}
          onFocus={setFocus}
        />
        <section className={classes.canvas} aria-label={t(`view.${view}`)}>
          <div className={classes.viewBar}>
            {chosen ? (
              <span className={classes.chosen}>
                <EntityChip type={chosen.type} value={chosen.value} part={chosen.role} />
                <ArtifactActions entity={chosen} />
              </span>
            ) : null}
            <SegmentedControl
              aria-label={t('view.label')}
              value={view}
              onChange={(next) => set('view', next)}
              data={[
                { value: 'graph', label: t('view.graph') },
                { value: 'kill-chain', label: t('view.kill-chain') },
              ]}
            />
          </div>
          {view === 'graph' ? (
            <CaseRelations graph={graph} focus={focus} onFocus={setFocus} />
          ) : (
            <KillChainGrid signals={signals.data?.data} focus={focus} onFocus={setFocus} />
          )}
        </section>
        {signalId === null ? null : (
          <SignalPanel
            signalId={signalId}
            signalIds={(signals.data?.data ?? []).map((signal) => signal.signal_id)}
            onSignal={(id) => setFocus({ signalId: id, entityKey: null })}
            onEntity={(entity) => setFocus({ signalId: null, entityKey: entityKey(entity) })}
          />
        )}
        {notes.open === 'page' && info.data ? <CaseNotesPanel mode="non-drawer" current={info.data} /> : null}
      </div>
    </div>
  );
}
