import { Alert, Anchor, Button, Table, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { PreviewResult, RulePreview } from '@tyrian/contract';
import { QUARANTINE_LIMITS } from '@tyrian/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { formatDuration } from '../../lib/format-time.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { findPath } from '../../query-kit/runs/find-path.ts';
import { EntityChip } from '../../ui/entity-chip.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { PreviewDaysChart } from './preview-days-chart.tsx';
import { PreviewSamples } from './preview-samples.tsx';
import { usePreviewPaths } from './preview-words.ts';
import styles from './rule-preview.module.css';

interface ResultProps {
  readonly preview: RulePreview;
  readonly result: PreviewResult;
}

/** All that is known of what a rule would have raised. */
export function PreviewResultView({ preview, result }: ResultProps) {
  const { t } = useTranslation('rule-preview');
  return (
    <>
      <Summary preview={preview} result={result} />
      {result.signals > 0 && (
        <>
          <Section title={t('entities.title')}>
            <ul className={styles.entities}>
              {result.entities.map(({ type, value, signals }) => (
                <li key={`${type} ${value}`}>
                  <EntityChip type={type} value={value} />
                  <Count value={signals} />
                </li>
              ))}
            </ul>
          </Section>
          <Overlaps result={result} />
          <Found result={result} />
        </>
      )}
      {result.samples > 0 && (
        <Section title={t('samples.title')}>
          <PreviewSamples previewId={preview.preview_id} ruleId={result.rule_id} />
        </Section>
      )}
    </>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Count({ value }: { readonly value: number }) {
  const { locale } = useSettings();
  return <span className={styles.number}>{formatInteger(value, locale)}</span>;
}

/** Which rule, the way to it, and to all that it finds. */
function SummaryHead({ preview, result }: ResultProps) {
  const { t } = useTranslation('rule-preview');
  const paths = usePreviewPaths();
  const scope = useScope();
  const range = {
    from: Math.min(preview.start, result.first_hit ?? preview.start),
    to: Math.max(preview.end, (result.last_hit ?? 0) + 1),
  };
  return (
    <div className={styles.row}>
      <h2>{preview.rules.length > 1 ? result.title : t('found')}</h2>
      {result.kql !== '' && (
        <Button
          size="compact-sm"
          variant="default"
          component={Link}
          to={findPath(scope, result.kql, range)}
          leftSection={<IconExternalLink size={14} aria-hidden />}
        >
          {t('openInFind')}
        </Button>
      )}
      {!result.is_gone && (
        <Anchor component={Link} to={paths.rule(result.rule_id)} size="sm">
          {t('toRule')}
        </Anchor>
      )}
    </div>
  );
}

/** Figures, the signals of each day, and what keeps them from telling all. */
function Summary({ preview, result }: ResultProps) {
  const { t } = useTranslation('rule-preview');
  const { locale } = useSettings();
  const number = (value: number) => formatInteger(value, locale);
  const days = Math.max(1 / 1440, (result.covered_until - preview.start) / 86_400_000);
  const perDay = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(result.signals / days);
  return (
    <section className={styles.section} aria-label={t('found')}>
      <SummaryHead preview={preview} result={result} />
      <Warnings result={result} />
      <FactList
        facts={[
          {
            label: t('columns.signals'),
            value: `${number(result.signals)} · ${t('perDay', { number: perDay })}`,
          },
          { label: t('columns.rows'), value: number(result.rows) },
          { label: t('columns.first'), value: timeOf(result.first_hit) },
          { label: t('columns.last'), value: timeOf(result.last_hit) },
          { label: t('score'), value: result.score ?? '–' },
          { label: t('cost.time'), value: duration(result.query_ms_day, locale) },
          { label: t('cost.cpu'), value: <Cpu result={result} state={preview.state} /> },
        ]}
      />
      {result.days.length > 0 && <PreviewDaysChart days={result.days} range={preview} />}
      {result.state === 'done' && result.signals === 0 && <Text size="sm">{t('nothing')}</Text>}
    </section>
  );
}

const timeOf = (ms: number | null) => (ms === null ? '–' : <TimeStamp time={ms} form="seconds" />);

/** Short ones with a part of a second. */
function duration(ms: number | null, locale: string): string {
  if (ms === null) return '–';
  if (ms >= 60_000) return formatDuration(ms);
  const style = { style: 'unit', unit: 'second', maximumFractionDigits: ms < 10_000 ? 2 : 0 } as const;
  return new Intl.NumberFormat(locale, style).format(ms / 1000);
}

/** A smaller one is said to be smaller. */
const LEAST_SHARE = 0.0001;

/** Processor time for a day of data, beside what a rule may take. */
function Cpu({ result, state }: { readonly result: PreviewResult; readonly state: RulePreview['state'] }) {
  const { t } = useTranslation('rule-preview');
  const { locale } = useSettings();
  if (result.cpu_ms_day === null || result.cpu_share === null)
    return state === 'done' && result.state === 'done' ? t('cost.later') : '–';
  const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const share = `${result.cpu_share < LEAST_SHARE ? '< ' : ''}${format.format(Math.max(LEAST_SHARE, result.cpu_share))}`;
  const most = QUARANTINE_LIMITS.cpuMinutesPerHour;
  return (
    <span className={result.cpu_share > 1 ? styles.error : undefined}>
      {duration(result.cpu_ms_day, locale)} · {t('cost.share', { share, most })}
    </span>
  );
}

function Warnings({ result }: { readonly result: PreviewResult }) {
  const { t } = useTranslation('rule-preview');
  const said = [
    ...(result.state === 'too-noisy' ? [t('tooNoisy')] : []),
    ...(result.error ? [serverText(result.error)] : []),
    ...(result.uses_now ? [t('usesNow')] : []),
  ];
  return said.map((text) => (
    <Alert key={text} variant="light" color="yellow" p={8}>
      {text}
    </Alert>
  ));
}

/** Other rules that have raised signals on the same. */
function Overlaps({ result }: { readonly result: PreviewResult }) {
  const { t } = useTranslation('rule-preview');
  const { locale } = useSettings();
  const paths = usePreviewPaths();
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  return (
    <Section title={t('overlap.title')}>
      <Text size="sm" c="dimmed">
        {t(result.overlaps_cut ? 'overlap.helpCut' : 'overlap.help')}
      </Text>
      {result.overlaps.length === 0 ? (
        <Text size="sm">{t('overlap.none')}</Text>
      ) : (
        <WideTable label={t('overlap.title')} minWidth={520}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('columns.rule')}</Table.Th>
              <Table.Th className={styles.number}>{t('columns.signals')}</Table.Th>
              <Table.Th className={styles.number}>{t('overlap.onEvents')}</Table.Th>
              <Table.Th className={styles.number}>{t('overlap.share')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {result.overlaps.map((one) => (
              <Table.Tr key={one.ID}>
                <Table.Td>
                  <Anchor component={Link} to={paths.rule(one.ID)} size="sm">
                    {one.name}
                  </Anchor>
                </Table.Td>
                <Table.Td className={styles.number}>{formatInteger(one.signals, locale)}</Table.Td>
                <Table.Td className={styles.number}>{formatInteger(one.on_events, locale)}</Table.Td>
                <Table.Td className={styles.number}>{share.format(one.share)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </WideTable>
      )}
    </Section>
  );
}

/** The first signals. */
function Found({ result }: { readonly result: PreviewResult }) {
  const { t } = useTranslation('rule-preview');
  const { locale } = useSettings();
  const shown = formatInteger(result.found.length, locale);
  return (
    <Section title={t('signals.title')}>
      {result.found.length < result.signals && (
        <Text size="sm" c="dimmed">
          {t('signals.first', { shown, all: formatInteger(result.signals, locale) })}
        </Text>
      )}
      <WideTable label={t('signals.title')} minWidth={760}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('signals.name')}</Table.Th>
            <Table.Th className={styles.number}>{t('columns.rows')}</Table.Th>
            <Table.Th>{t('columns.first')}</Table.Th>
            <Table.Th>{t('signals.entities')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {result.found.map((signal) => (
            <Table.Tr key={JSON.stringify([signal.name, signal.first_time, signal.suspects, signal.targets])}>
              <Table.Td className={styles.name}>{signal.name}</Table.Td>
              <Table.Td className={styles.number}>{formatInteger(signal.occurrences, locale)}</Table.Td>
              <Table.Td>{timeOf(signal.first_time)}</Table.Td>
              <Table.Td>
                <span className={styles.chips}>
                  {signal.suspects.map(({ type, value }) => (
                    <EntityChip key={`s ${type} ${value}`} type={type} value={value} part="suspect" />
                  ))}
                  {signal.targets.map(({ type, value }) => (
                    <EntityChip key={`t ${type} ${value}`} type={type} value={value} part="target" />
                  ))}
                </span>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Section>
  );
}
