import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EntityChip } from '../../ui/entity-chip.tsx';
import { ArtifactActions } from './artifact-actions.tsx';
import { type CaseFocus, entityKey } from './case-focus.ts';
import classes from './case-page.module.css';
import type { useCase } from './case-queries.ts';
import { CaseRelations } from './case-relations.tsx';
import { KillChainGrid } from './kill-chain-grid.tsx';

interface CaseCanvasProps extends Pick<ReturnType<typeof useCase>, 'signals' | 'entities' | 'graph'> {
  readonly view: 'graph' | 'kill-chain';
  readonly onView: (view: string) => void;
  readonly focus: CaseFocus;
  readonly onFocus: (focus: CaseFocus) => void;
}

/** How a case hangs together: the graph of its relations or its kill chain, and what can be done with the lit entity. */
export function CaseCanvas({ view, onView, signals, entities, graph, focus, onFocus }: CaseCanvasProps) {
  const { t } = useTranslation('cases');
  const chosen = entities.data?.find((entity) => entityKey(entity) === focus.entityKey);
  return (
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
          onChange={onView}
          data={[
            { value: 'graph', label: t('view.graph') },
            { value: 'kill-chain', label: t('view.kill-chain') },
          ]}
        />
      </div>
      {view === 'graph' ? (
        <CaseRelations graph={graph} focus={focus} onFocus={onFocus} />
      ) : (
        <KillChainGrid signals={signals.data?.data} focus={focus} onFocus={onFocus} />
      )}
    </section>
  );
}
