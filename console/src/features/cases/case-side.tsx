import { Tabs } from '@mantine/core';
import type { Case } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { CaseArtifactList } from './case-artifact-list.tsx';
import type { CaseFocus } from './case-focus.ts';
import { CaseHistoryList } from './case-history-list.tsx';
import type { useCase } from './case-queries.ts';
import classes from './case-side.module.css';
import { CaseSignalList } from './case-signal-list.tsx';

type CaseParts = ReturnType<typeof useCase>;

interface CaseSideProps extends Pick<CaseParts, 'signals' | 'entities' | 'history'> {
  readonly tab: string;
  readonly onTab: (tab: string) => void;
  readonly one: Case | undefined;
  readonly focus: CaseFocus;
  readonly onFocus: (focus: CaseFocus) => void;
}

/** The left side of a case: signals, artifacts, history. */
export function CaseSide(props: CaseSideProps) {
  const { t } = useTranslation('cases');
  const { one, signals, entities, history } = props;
  const count = (value: number | undefined) => (value === undefined ? '' : ` ${value}`);
  return (
    <Tabs value={props.tab} onChange={(tab) => tab && props.onTab(tab)} className={classes.side}>
      <Tabs.List className={classes.tabs}>
        <Tabs.Tab value="signals">
          {t('list.signals')}
          <span className={classes.count}>{count(signals.data?.total_count)}</span>
        </Tabs.Tab>
        <Tabs.Tab value="artifacts">
          {t('list.artifacts')}
          <span className={classes.count}>{count(entities.data?.length)}</span>
        </Tabs.Tab>
        <Tabs.Tab value="history">{t('side.history')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="signals" className={classes.panel}>
        <CaseSignalList query={signals} one={one} focus={props.focus} onFocus={props.onFocus} />
      </Tabs.Panel>
      <Tabs.Panel value="artifacts" className={classes.panel}>
        <CaseArtifactList query={entities} one={one} focus={props.focus} onFocus={props.onFocus} />
      </Tabs.Panel>
      <Tabs.Panel value="history" className={classes.panel}>
        <CaseHistoryList query={history} />
      </Tabs.Panel>
    </Tabs>
  );
}
