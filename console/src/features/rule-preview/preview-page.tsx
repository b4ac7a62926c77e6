import { Button, Progress, Skeleton, Table, Text } from '@mantine/core';
import { IconHistory, IconPlayerStop, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type PreviewRule, type RulePreview, readRulePreview } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { absoluteRange } from '../../lib/time-range.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { PreviewResultView } from './preview-result.tsx';
import { isOpen, STATE_TONES, usePreviewPaths } from './preview-words.ts';
import styles from './rule-preview.module.css';
import { usePreviewActs, useStartPreview } from './use-previews.ts';

const EVERY_MS = 1_500;

/** A preview or retro-hunt: how far it is, what each rule has found, and of one rule all that is known. */
export function PreviewPage() {
  const { t } = useTranslation('rule-preview');
  const { previewId = '' } = useParams();
  const { clusterId, scopeId } = useScope();
  const paths = usePreviewPaths();
  const [ruleId, setRuleId] = useAddressParam('rule');
  const ask = (every: number | false) =>
    callQuery(
      readRulePreview,
      { scope_id: scopeId, preview_id: previewId, ...(ruleId ? { rule_id: ruleId } : {}) },
      { params: { clusterId }, quiet: true, keep: true, every },
    );
  const found = useQuery({
    ...ask(EVERY_MS),
    refetchInterval: ({ state }) => (state.data && !goesOn(state.data) ? false : EVERY_MS),
  });
  const preview = found.data;
  const title = preview ? titleOf(preview, t) : t('title');
  return (
    <PageLayout
      scrolls
      head={
        <PageHead
          icon={IconHistory}
          title={title}
          parents={[
            { title: t('rules'), to: paths.rules },
            { title: t('title'), to: paths.list },
          ]}
          actions={preview ? <Actions preview={preview} /> : null}
        />
      }
    >
      {found.isLoadingError && (
        <ErrorPanel title={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
      )}
      {found.isPending && <Skeleton height={240} maw={1080} mx="auto" />}
      {preview && (
        <div className={styles.page}>
          <Head preview={preview} />
          {preview.rules.length > 1 && (
            <RuleTable preview={preview} shown={preview.result?.rule_id ?? ''} onShow={setRuleId} />
          )}
          {preview.result && <PreviewResultView preview={preview} result={preview.result} />}
        </div>
      )}
    </PageLayout>
  );
}

/** It runs, or what it cost is still to be told: a moment after its end. */
function goesOn({ state, ended, result }: RulePreview): boolean {
  if (isOpen(state)) return true;
  return state === 'done' && result?.cpu_ms_day === null && Date.now() - (ended ?? 0) < 40_000;
}

function titleOf({ rules, kind }: RulePreview, t: TFunction<'rule-preview'>): string {
  const [first] = rules;
  return rules.length === 1 && first ? first.title : t(`titles.${kind}`, { count: rules.length });
}

function Actions({ preview }: { readonly preview: RulePreview }) {
  const { t } = useTranslation('rule-preview');
  const { tags } = useSignedIn();
  const navigate = useNavigate();
  const paths = usePreviewPaths();
  const { stop, remove, isStopping } = usePreviewActs();
  const { start, isPending } = useStartPreview();
  if (!tags.includes('engineer')) return null;
  if (isOpen(preview.state))
    return (
      <Button
        variant="default"
        loading={isStopping}
        leftSection={<IconPlayerStop size={14} aria-hidden />}
        onClick={() => stop(preview.preview_id)}
      >
        {t('stop')}
      </Button>
    );
  const again = () =>
    start({
      ruleIds: preview.rules.filter((rule) => !rule.is_gone).map(({ rule_id }) => rule_id),
      kind: preview.kind,
      range: absoluteRange(preview.start, preview.end),
    });
  return (
    <>
      <Button
        variant="default"
        loading={isPending}
        disabled={preview.rules.every(({ is_gone }) => is_gone)}
        leftSection={<IconRefresh size={14} aria-hidden />}
        onClick={again}
      >
        {t('again')}
      </Button>
      <ConfirmButton
        variant="default"
        leftSection={<IconTrash size={14} aria-hidden />}
        title={t('delete.title')}
        consequence={t('delete.text')}
        confirmLabel={t('delete.confirm')}
        onConfirm={() => remove(preview.preview_id, () => void navigate(paths.list))}
      >
        {t('delete.button')}
      </ConfirmButton>
    </>
  );
}

/** The range, the state, how far it is. */
function Head({ preview }: { readonly preview: RulePreview }) {
  const { t } = useTranslation('rule-preview');
  const { state, done, total, start, end, author, created, error } = preview;
  return (
    <section className={styles.section} aria-label={t('progress')}>
      <div className={styles.row}>
        <StateMark tone={STATE_TONES[state]} label={t(`states.${state}`)} />
        <span className={styles.times}>
          <TimeStamp time={start} form="seconds" /> – <TimeStamp time={end} form="seconds" />
        </span>
        <Text size="sm" c="dimmed" span>
          {t('by', { author })} <TimeStamp time={created} form="seconds" />
        </Text>
      </div>
      {isOpen(state) && (
        <>
          <Progress value={total === 0 ? 0 : (done / total) * 100} size="sm" aria-label={t('progress')} />
          <Text size="sm" c="dimmed" role="status">
            {t(state === 'waiting' ? 'waits' : 'doneOf', { done, total })}
          </Text>
        </>
      )}
      {state === 'canceled' && <Text size="sm">{t('stopped')}</Text>}
      {error && (
        <Text size="sm" className={styles.error}>
          {serverText(error)}
        </Text>
      )}
    </section>
  );
}

interface RuleTableProps {
  readonly preview: RulePreview;
  readonly shown: string;
  readonly onShow: (ruleId: string) => void;
}

/** What each rule has found; one is chosen to be shown below. */
function RuleTable({ preview, shown, onShow }: RuleTableProps) {
  const { t } = useTranslation('rule-preview');
  return (
    <section className={styles.section} aria-label={t('rulesOf')}>
      <h2>{t('rulesOf')}</h2>
      <Text size="sm" c="dimmed">
        {t('chooseRule')}
      </Text>
      <WideTable label={t('rulesOf')} minWidth={760}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('columns.rule')}</Table.Th>
            <Table.Th>{t('columns.state')}</Table.Th>
            <Table.Th className={styles.number}>{t('columns.rows')}</Table.Th>
            <Table.Th className={styles.number}>{t('columns.signals')}</Table.Th>
            <Table.Th>{t('columns.first')}</Table.Th>
            <Table.Th>{t('columns.last')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...preview.rules]
            .sort((a, b) => b.signals - a.signals)
            .map((rule) => (
              <RuleRow key={rule.rule_id} rule={rule} isShown={rule.rule_id === shown} onShow={onShow} />
            ))}
        </Table.Tbody>
      </WideTable>
    </section>
  );
}

interface RuleRowProps {
  readonly rule: PreviewRule;
  readonly isShown: boolean;
  readonly onShow: (ruleId: string) => void;
}

function RuleRow({ rule, isShown, onShow }: RuleRowProps) {
  const { t } = useTranslation('rule-preview');
  const { locale } = useSettings();
  const time = (ms: number | null) => (ms === null ? '–' : <TimeStamp time={ms} form="seconds" />);
  return (
    <Table.Tr className={styles.rule} data-shown={isShown || undefined}>
      <Table.Td>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-pressed={isShown}
          onClick={() => onShow(isShown ? '' : rule.rule_id)}
        >
          {rule.title}
        </Button>
      </Table.Td>
      <Table.Td>
        <StateMark tone={STATE_TONES[rule.state]} label={t(`states.${rule.state}`)} />
      </Table.Td>
      <Table.Td className={styles.number}>{formatInteger(rule.rows, locale)}</Table.Td>
      <Table.Td className={styles.number}>{formatInteger(rule.signals, locale)}</Table.Td>
      <Table.Td>{time(rule.first_hit)}</Table.Td>
      <Table.Td>{time(rule.last_hit)}</Table.Td>
    </Table.Tr>
  );
}
