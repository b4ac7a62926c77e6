import { useTranslation } from 'react-i18next';
import styles from './first-steps.module.css';
import { HistoryList, type PastSearch } from './history-list.tsx';
import type { SearchPageState } from './use-search-page.ts';

const EXAMPLES = [
  { key: 'streams', query: 'Events\n| summarize Count = count() by Stream\n| sort by Count desc' },
  {
    key: 'overTime',
    query: 'Events\n| summarize count() by bin(TimeGenerated, 15m), Stream\n| render timechart',
  },
  {
    key: 'failedSignIns',
    query:
      'Authentication\n| where EventResult == "Failure"\n| summarize Failures = count(), Users = dcount(TargetUsername) by SrcIpAddr\n| top 20 by Failures',
  },
  {
    key: 'encodedCommands',
    query:
      'ProcessEvent\n| where CommandLine has_any ("-enc", "-EncodedCommand", "FromBase64String")\n| project TimeGenerated, DvcHostname, ActorUsername, ParentProcessName, CommandLine',
  },
  {
    key: 'rareProcesses',
    query:
      'ProcessEvent\n| summarize Hosts = dcount(DvcHostname), Runs = count(), First = min(TimeGenerated) by ProcessName\n| where Hosts == 1\n| sort by Runs asc',
  },
  {
    key: 'unparsed',
    query: 'Events\n| where ParseStatus != "PAD"\n| summarize count() by SourceName, ParseStatus',
  },
] as const;

interface FirstStepsProps {
  readonly page: SearchPageState;
  readonly onPast: (search: PastSearch) => void;
}

/** Before the first search: questions to start from, and what was asked lately. */
export function FirstSteps({ page, onPast }: FirstStepsProps) {
  const { t } = useTranslation('search');
  return (
    <div className={styles.steps}>
      <section className={styles.column} aria-label={t('examples.title')}>
        <h2 className={styles.title}>{t('examples.title')}</h2>
        <ul className={styles.list}>
          {EXAMPLES.map(({ key, query }) => (
            <li key={key}>
              <button type="button" className={styles.example} onClick={() => page.submit(query)}>
                <span>{t(`examples.${key}`)}</span>
                <code title={query}>{query}</code>
              </button>
            </li>
          ))}
        </ul>
        <p className={styles.keys}>{t('examples.keys')}</p>
      </section>
      <section className={styles.column} aria-label={t('recent.title')}>
        <h2 className={styles.title}>{t('recent.title')}</h2>
        <div className={styles.recent}>
          <HistoryList onTake={onPast} onRun={onPast} limit={8} hasFilter={false} />
        </div>
      </section>
    </div>
  );
}
