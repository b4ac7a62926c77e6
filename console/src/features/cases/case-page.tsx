import { SegmentedControl } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { CallError } from '../../lib/call.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { type CaseFocus, NO_FOCUS } from './case-focus.ts';
import { CaseHead } from './case-head.tsx';
import { CaseNotesPanel } from './case-notes-panel.tsx';
import classes from './case-page.module.css';
import { useCase } from './case-queries.ts';
import { CaseRelations } from './case-relations.tsx';
import { CaseSide } from './case-side.tsx';
import { KillChainGrid } from './kill-chain-grid.tsx';
import { leavePageNotes, useNotesPanel } from './notes-panel-store.ts';

/** One case at work: its state and the next steps on top, evidence at the left, how it hangs together at the right. */
export function CasePage() {
  const { t } = useTranslation('cases');
  const caseId = useParams().type ?? '';
  const { info, signals, entities, graph, history } = useCase(caseId);
  const [params, setParams] = useSearchParams();
  const [focus, setFocus] = useState<CaseFocus>(NO_FOCUS);
  const notes = useNotesPanel();
  useEffect(() => leavePageNotes, []);
  const view = params.get('view') === 'kill-chain' ? 'kill-chain' : 'graph';
  if (info.isLoadingError) {
    const isMissing = info.error instanceof CallError && info.error.status === 404;
    return isMissing ? (
      <EmptyState kind="no-right" title={t('page.missing')} text={t('page.missingText')} />
    ) : (
      <ErrorPanel error={info.error} onRetry={() => void info.refetch()} />
    );
  }
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    next.set(name, value);
    setParams(next, { replace: true });
  };
  return (
    <div className={classes.page}>
      {info.data ? <CaseHead one={info.data} /> : <div className={classes.headSpace} />}
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
        {notes.open === 'page' && info.data ? <CaseNotesPanel mode="non-drawer" current={info.data} /> : null}
      </div>
    </div>
  );
}
