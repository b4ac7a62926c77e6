import { Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  isPackRuleId,
  listRuleHealth,
  listTuning,
  type OutputOf,
  readLedgerPicture,
  releaseRule,
  ruleLedger,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration } from '../../lib/format-time.ts';
import { notify } from '../../lib/notify.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { RuleStateChip } from '../detections/public.ts';
import { LedgerChart } from './ledger-chart.tsx';
import { LedgerTable } from './ledger-table.tsx';
import { RerunForm } from './rerun-form.tsx';
import styles from './rule-health.module.css';
import { rulePath } from './rule-health-words.ts';
import { TuningButton } from './tuning-button.tsx';

type Picture = OutputOf<typeof readLedgerPicture>;

const HOUR_MS = 3_600_000;
const SPANS = { '6h': 6 * HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '14d': 336 * HOUR_MS } as const;
type Span = keyof typeof SPANS;
const PARTS = 96;
const AGAIN_MS = 15_000;
/** A picture moves on by whole minutes. */
const STEP_MS = 60_000;
const nextStep = () => Math.ceil(Date.now() / STEP_MS) * STEP_MS;

interface LedgerFlyoutProps {
  readonly ID: string;
  readonly onClose: () => void;
}

/** One rule: its ledger as a picture and as a table, what failed and why, and what can be done about it. */
export function LedgerFlyout({ ID, onClose }: LedgerFlyoutProps) {
  const { t } = useTranslation('rule-health');
  const { clusterId, scopeId } = useScope();
  const [spanName, setSpan] = useAddressParam('ledger');
  const span: Span = spanName in SPANS ? (spanName as Span) : '24h';
  const [end, setEnd] = useState(nextStep);
  const range = { start: end - SPANS[span], end };
  const input = { scope_id: scopeId, ID, ...range, parts: PARTS };
  const extras = { params: { clusterId }, quiet: true, keep: true, every: AGAIN_MS };
  const picture = useQuery(callQuery(readLedgerPicture, input, extras));
  const drawn = picture.data;
  const onChoose = (next: string) => {
    setEnd(nextStep());
    setSpan(next === '24h' ? '' : next);
  };
  return (
    <DetailFlyout
      title={<span className={styles.title}>{drawn?.name ?? t('rule')}</span>}
      label={t('rule')}
      onClose={onClose}
    >
      <div className={styles.body}>
        <div className={styles.row}>
          <SpanChoice span={span} onChoose={onChoose} />
          <RuleActs ID={ID} />
        </div>
        {picture.isPending && <Skeleton height={200} />}
        {picture.isLoadingError && (
          <ErrorPanel
            title={t('ledger.failed')}
            error={picture.error}
            onRetry={() => void picture.refetch()}
          />
        )}
        {drawn && (
          <>
            <Quarantine ID={ID} picture={drawn} />
            <LedgerChart picture={drawn} range={range} />
            <Facts picture={drawn} />
            <RerunForm ID={ID} />
            <LedgerTable ID={ID} range={range} />
          </>
        )}
      </div>
    </DetailFlyout>
  );
}

interface SpanChoiceProps {
  readonly span: Span;
  readonly onChoose: (span: string) => void;
}

function SpanChoice({ span, onChoose }: SpanChoiceProps) {
  const { t } = useTranslation('rule-health');
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('range')}
      value={span}
      onChange={onChoose}
      data={(Object.keys(SPANS) as Span[]).map((value) => ({ value, label: t(`spans.${value}`) }))}
    />
  );
}

function RuleActs({ ID }: { readonly ID: string }) {
  const { t } = useTranslation('rule-health');
  const scope = useScope();
  const kind = isPackRuleId(ID) ? 'pack' : 'workbook';
  return (
    <>
      <Button
        variant="default"
        component={Link}
        to={rulePath(scope, { ID, kind })}
        leftSection={<IconExternalLink size={14} aria-hidden />}
      >
        {t('openRule')}
      </Button>
      <TuningButton ID={ID} />
    </>
  );
}

/** Why the rule is set aside, and the way back. */
function Quarantine({ ID, picture }: { readonly ID: string; readonly picture: Picture }) {
  const { t } = useTranslation('rule-health');
  const { clusterId, scopeId } = useScope();
  const { tags } = useSignedIn();
  const release = useCallMutation(releaseRule, {
    stale: [readLedgerPicture, listRuleHealth, ruleLedger, listTuning],
  });
  if (!picture.quarantine) return null;
  const onConfirm = () =>
    release.mutate(
      { params: { clusterId }, input: { scope_id: scopeId, ID } },
      { onSuccess: () => notify('done', t('released', { rule: picture.name })) },
    );
  const question = { title: t('releaseTitle', { rule: picture.name }), consequence: t('releaseText') };
  return (
    <div className={styles.notice} role="alert">
      <Text size="sm" fw={600}>
        {t('setAside')} <TimeStamp time={picture.quarantine.since} form="seconds" />
      </Text>
      <Text size="sm">{serverText(picture.quarantine)}</Text>
      {tags.includes('engineer') && (
        <Button
          mt={8}
          size="compact-sm"
          loading={release.isPending}
          onClick={() =>
            askToConfirm({ ...question, confirmLabel: t('release'), isHarmless: true, onConfirm })
          }
        >
          {t('release')}
        </Button>
      )}
    </div>
  );
}

function Facts({ picture }: { readonly picture: Picture }) {
  const { t } = useTranslation('rule-health');
  const { locale } = useSettings();
  const time = (stamp: number | null) => (stamp === null ? '–' : <TimeStamp time={stamp} form="seconds" />);
  const gaps = picture.gaps.slice(0, 5).map((gap) => (
    <div key={gap.from}>
      <TimeStamp time={gap.from} form="seconds" /> · {formatDuration(gap.to - gap.from)}
    </div>
  ));
  return (
    <FactList
      facts={[
        { label: t('columns.state'), value: <RuleStateChip state={picture.state} /> },
        { label: t('columns.next_run'), value: time(picture.next_run) },
        { label: t('coveredFrom'), value: time(picture.covered_from) },
        { label: t('columns.covered_until'), value: time(picture.covered_until) },
        { label: t('waitingReruns'), value: formatInteger(picture.waiting_reruns, locale) },
        {
          label: t('columns.gaps'),
          value:
            picture.gap_count === 0 ? (
              t('noGaps')
            ) : (
              <>
                {formatInteger(picture.gap_count, locale)} {gaps}
              </>
            ),
        },
      ]}
    />
  );
}
