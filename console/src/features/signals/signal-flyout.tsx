import { Button, Skeleton, Tabs } from '@mantine/core';
import { IconBriefcase, IconFlagOff, IconFlagPlus, IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type SignalDetail, signalCaseList, signalInfo, signalKnowledge } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration } from '../../lib/format-time.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { signalPath } from '../../lib/signal-path.ts';
import { callQuery } from '../../lib/use-call.ts';
import { copyText } from '../../ui/copy-text.ts';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ScoreTile } from '../../ui/score-tile.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { SignalAttribution } from '../attack/public.ts';
import { CaseLink } from '../cases/public.ts';
import { TuningButton } from '../rule-health/public.ts';
import { MarkdownView, useTechniqueNames } from '../workbooks/public.ts';
import { SignalEntities } from './signal-entities.tsx';
import { SignalEvents } from './signal-events.tsx';
import styles from './signal-flyout.module.css';
import type { EntityFilter } from './signal-link.ts';
import { SignalOverview } from './signal-overview.tsx';
import { SignalStatusLabel } from './signal-status-label.tsx';
import { SignalTagMenu } from './signal-tag-menu.tsx';
import { SignalWaysBar } from './signal-ways-bar.tsx';
import { SuppressButton } from './suppress-button.tsx';

export interface SignalFlyoutProps {
  readonly id: string;
  /** The page that it stands on; the queue when absent. */
  readonly at?: 'queue' | 'case';
  readonly onClose: () => void;
  readonly onPrevious?: () => void;
  readonly onNext?: () => void;
  readonly onEntity: (entity: EntityFilter) => void;
  readonly onCase: (signal: {
    readonly signal_id: string;
    readonly name: string;
    readonly score: number;
  }) => void;
  readonly onFalsePositive: (id: string, falsePositive: boolean) => void;
}

/** One signal: what it says, the events behind it, how to triage it, and the cases that hold it. */
export function SignalFlyout(props: SignalFlyoutProps) {
  const { t } = useTranslation('signals');
  const { clusterId, scopeId } = useScope();
  const info = useQuery(
    callQuery(signalInfo, { scope_id: scopeId, signal_id: props.id }, { params: { clusterId }, quiet: true }),
  );
  const signal = info.data;
  return (
    <DetailFlyout
      label={t('flyout.label')}
      title={
        signal ? (
          <span className={styles.title}>
            <ScoreTile score={signal.score} />
            <span title={signal.name}>{signal.name}</span>
          </span>
        ) : (
          t('flyout.label')
        )
      }
      onClose={props.onClose}
      onPrevious={props.onPrevious}
      onNext={props.onNext}
      actions={
        signal && (
          <>
            <SignalWaysBar signal={signal} at={props.at ?? 'queue'} />
            <CopyLink signal={signal} />
          </>
        )
      }
    >
      <div className={styles.body}>
        {info.isPending && <Skeleton height={180} />}
        {info.isError && (
          <ErrorPanel title={t('flyout.failed')} error={info.error} onRetry={() => void info.refetch()} />
        )}
        {signal && (
          <>
            <Summary {...props} signal={signal} />
            <Tabs defaultValue="overview" mt={12}>
              <Tabs.List>
                {(['overview', 'events', 'knowledge', 'attribution', 'cases'] as const).map((tab) => (
                  <Tabs.Tab key={tab} value={tab} px={9}>
                    {t(`flyout.${tab}`, { count: signal.case_ids.length })}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="overview" pt={10}>
                <SignalOverview signal={signal} />
              </Tabs.Panel>
              <Tabs.Panel value="events" pt={10}>
                <SignalEvents signal={signal} />
              </Tabs.Panel>
              <Tabs.Panel value="knowledge" pt={10}>
                <Knowledge signal={signal} />
              </Tabs.Panel>
              <Tabs.Panel value="attribution" pt={10}>
                <SignalAttribution signalIds={[signal.signal_id]} />
              </Tabs.Panel>
              <Tabs.Panel value="cases" pt={10}>
                <Cases signal={signal} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </div>
    </DetailFlyout>
  );
}

function CopyLink({ signal }: { readonly signal: SignalDetail }) {
  const { t } = useTranslation('signals');
  const scope = useScope();
  const copy = () => {
    const [page = ''] = window.location.href.split('#');
    void copyText(`${page}#${signalPath(scope, signal.signal_id)}`);
  };
  return (
    <IconButton label={t('flyout.copyLink')} onClick={copy} size={26}>
      <IconLink size={16} />
    </IconButton>
  );
}

function Summary({
  signal,
  onEntity,
  onCase,
  onFalsePositive,
}: SignalFlyoutProps & { readonly signal: SignalDetail }) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const isFalse = signal.false_positive;
  const reason = isFalse
    ? signal.history.findLast((entry) => entry.action === 'false_positive')?.detail
    : undefined;
  const nameOf = useTechniqueNames();
  const technique = signal.sub_technique || signal.technique;
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t('column.status')}</dt>
        <dd>
          <SignalStatusLabel signal={signal} />
          {reason ? <span className={styles.count}> · {reason}</span> : null}
        </dd>
        <dt>{t('column.attack')}</dt>
        <dd>
          {signal.tactic || '–'} {technique && <code>{nameOf(technique)}</code>}
        </dd>
        <dt>{t('column.confidence')}</dt>
        <dd>{t(`workbooks:confidence.${signal.confidence}`)}</dd>
        <dt>{t('flyout.time')}</dt>
        <dd>
          <TimeStamp time={signal.first_time} />
          {signal.last_time !== signal.first_time && (
            <>
              {' – '}
              <TimeStamp time={signal.last_time} />
            </>
          )}
        </dd>
        <dt>{t('column.occurrences')}</dt>
        <dd>{formatInteger(signal.occurrences, locale)}</dd>
        <dt>{t('column.stream')}</dt>
        <dd>{signal.stream || '–'}</dd>
        <dt>{t('flyout.ttd')}</dt>
        <dd>{signal.ttd_seconds === null ? '–' : formatDuration(signal.ttd_seconds * 1000)}</dd>
        {signal.tags.length > 0 && (
          <>
            <dt>{t('tags.button')}</dt>
            <dd>{signal.tags.join(', ')}</dd>
          </>
        )}
        <dt>{t('column.entities')}</dt>
        <dd>
          <SignalEntities signal={signal} onEntity={onEntity} />
        </dd>
      </dl>
      <SummaryActions signal={signal} onCase={onCase} onFalsePositive={onFalsePositive} />
    </>
  );
}

function SummaryActions({
  signal,
  onCase,
  onFalsePositive,
}: Pick<SignalFlyoutProps, 'onCase' | 'onFalsePositive'> & { readonly signal: SignalDetail }) {
  const { t } = useTranslation('signals');
  const isFalse = signal.false_positive;
  return (
    <div className={styles.actions}>
      <Button leftSection={<IconBriefcase size={14} />} onClick={() => onCase(signal)}>
        {t('action.addToCase')}
      </Button>
      <Button
        variant="default"
        leftSection={isFalse ? <IconFlagPlus size={14} /> : <IconFlagOff size={14} />}
        onClick={() => onFalsePositive(signal.signal_id, !isFalse)}
      >
        {t(isFalse ? 'action.notFalsePositive' : 'action.falsePositive')}
      </Button>
      <SignalTagMenu signalIds={[signal.signal_id]} tagged={[signal.tags]} />
      <SuppressButton signal={signal} />
      <TuningButton ID={signal.workbook_id} signalId={signal.signal_id} />
    </div>
  );
}

function Knowledge({ signal }: { readonly signal: SignalDetail }) {
  const { t } = useTranslation('signals');
  const { clusterId, scopeId } = useScope();
  const kb = useQuery(
    callQuery(
      signalKnowledge,
      { scope_id: scopeId, signal_id: signal.signal_id },
      { params: { clusterId }, quiet: true },
    ),
  );
  if (kb.isPending) return <Skeleton height={120} />;
  if (kb.isError) return <ErrorPanel error={kb.error} onRetry={() => void kb.refetch()} />;
  if (kb.data.kb.trim() === '') return <EmptyState kind="nothing-yet" title={t('flyout.noKnowledge')} />;
  return <MarkdownView text={kb.data.kb} />;
}

function Cases({ signal }: { readonly signal: SignalDetail }) {
  const { t } = useTranslation('signals');
  const { clusterId, scopeId } = useScope();
  const cases = useQuery(
    callQuery(
      signalCaseList,
      { scope_id: scopeId, signal_id: signal.signal_id },
      { params: { clusterId }, quiet: true },
    ),
  );
  if (cases.isPending) return <Skeleton height={60} />;
  if (cases.isError) return <ErrorPanel error={cases.error} onRetry={() => void cases.refetch()} />;
  if (cases.data.length === 0) return <EmptyState kind="nothing-yet" title={t('flyout.noCases')} />;
  return (
    <ul className={styles.cases}>
      {cases.data.map((one) => (
        <li key={one.case_id}>
          <CaseLink caseId={one.case_id} caseKey={one.case_key} name={one.case_name} />
          <span className={styles.count}>{one.status}</span>
        </li>
      ))}
    </ul>
  );
}
