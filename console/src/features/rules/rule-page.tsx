import { Alert, Anchor, Button, List, Skeleton, Switch, Table, Text } from '@mantine/core';
import { IconExternalLink, IconRulerMeasure } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type PackRuleDetail, readPackRule, tacticTitle } from '@tyrian/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { findPath } from '../../query-kit/runs/find-path.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SeverityChip } from '../../ui/severity-chip.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { TuningButton } from '../rule-health/public.ts';
import { PreviewSection } from '../rule-preview/public.ts';
import { RuleSamples } from '../samples/public.ts';
import { RuleVersions } from './editor/rule-versions.tsx';
import { OwnRuleActions } from './own-rule-actions.tsx';
import { useRulePaths } from './rule-links.ts';
import { RuleOverlayForm } from './rule-overlay-form.tsx';
import { reasonKey, severityOf, VERDICT_TONES, verdictKey } from './rule-words.ts';
import styles from './rules.module.css';
import { useSwitchRules } from './use-switch-rules.ts';

const DAY_MS = 86_400_000;

/** A rule of a pack: what it says, whether it runs and why not, how its fields are read, and what the scope changes. */
export function RulePage() {
  const { t } = useTranslation('rules');
  const { ruleId = '' } = useParams();
  const { clusterId, scopeId } = useScope();
  const paths = useRulePaths();
  const found = useQuery(
    callQuery(readPackRule, { scope_id: scopeId, rule_id: ruleId }, { params: { clusterId }, quiet: true }),
  );
  const rule = found.data;
  const parents = [{ title: t('title'), to: paths.list }];
  const [isShowingVersions, setShowingVersions] = useState(false);
  return (
    <PageLayout
      scrolls
      aside={
        rule && isShowingVersions ? (
          <RuleVersions rule={rule} onClose={() => setShowingVersions(false)} />
        ) : undefined
      }
      head={
        <PageHead
          icon={IconRulerMeasure}
          title={rule?.title ?? t('rule')}
          parents={parents}
          actions={rule ? <Actions rule={rule} onVersions={() => setShowingVersions(true)} /> : null}
        />
      }
    >
      {found.isLoadingError && (
        <ErrorPanel title={t('ruleFailed')} error={found.error} onRetry={() => void found.refetch()} />
      )}
      {found.isPending && <Skeleton height={240} maw={1080} mx="auto" />}
      {rule && <Parts rule={rule} />}
    </PageLayout>
  );
}

/** What the page shows of a rule, in order. */
function Parts({ rule }: { readonly rule: PackRuleDetail }) {
  const { t } = useTranslation('rules');
  return (
    <div className={styles.page}>
      <Verdict rule={rule} />
      <About rule={rule} />
      {rule.can_run && (
        <Section title={t('overlay.title')}>
          <RuleOverlayForm key={`${rule.rule_id} ${rule.revision}`} rule={rule} />
        </Section>
      )}
      {rule.can_run && (
        <Section title={t('preview')}>
          <PreviewSection ruleId={rule.rule_id} />
        </Section>
      )}
      {(rule.can_run || rule.sample_state !== 'none') && (
        <Section title={t('columns.samples')}>
          <Text size="sm" c="dimmed">
            {t('samplesHelp')}
          </Text>
          <RuleSamples ruleId={rule.rule_id} />
        </Section>
      )}
      <Query rule={rule} />
      <Fields rule={rule} />
      <Section title={t('text')} actions={<CopyButton value={rule.text} />}>
        <RuleText rule={rule} />
      </Section>
    </div>
  );
}

function Actions({ rule, onVersions }: { readonly rule: PackRuleDetail; readonly onVersions: () => void }) {
  const { t } = useTranslation('rules');
  return (
    <>
      {rule.own?.locked && (
        <StateMark tone="warn" label={t('write.lockedBy', { name: rule.own.locked_by ?? '' })} />
      )}
      {rule.enabled && <TuningButton ID={rule.rule_id} />}
      <OwnRuleActions rule={rule} onVersions={onVersions} />
      <RuleSwitch rule={rule} />
    </>
  );
}

function RuleSwitch({ rule }: { readonly rule: PackRuleDetail }) {
  const { t } = useTranslation('rules');
  const { tags } = useSignedIn();
  const { switchRules, isPending } = useSwitchRules();
  return (
    <Switch
      label={t(rule.enabled ? 'isOn' : 'isOff')}
      aria-label={t('columns.switch', { title: rule.title })}
      checked={rule.enabled}
      disabled={isPending || !tags.includes('engineer') || !(rule.can_run || rule.enabled)}
      onChange={(event) => switchRules({ rule_ids: [rule.rule_id] }, event.currentTarget.checked)}
    />
  );
}

function Section(props: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.section} aria-label={props.title}>
      <div className={styles.head}>
        <h2>{props.title}</h2>
        {props.actions}
      </div>
      {props.children}
    </section>
  );
}

/** The verdict, why, and what would bring what is missing. */
function Verdict({ rule }: { readonly rule: PackRuleDetail }) {
  const { t } = useTranslation('rules');
  const missing = rule.fields.filter(({ is_missing }) => is_missing);
  const key = rule.reason_code === null ? null : reasonKey(rule.reason_code);
  return (
    <Section title={t('columns.verdict')}>
      <div className={styles.head}>
        <StateMark tone={VERDICT_TONES[rule.verdict]} label={t(verdictKey(rule.verdict))} />
        {rule.is_gone && <StateMark tone="warn" label={t('gone')} />}
      </div>
      {key && <Text size="sm">{t(key)}</Text>}
      {rule.reason !== '' && (
        <Text size="sm" c="dimmed" lang="en">
          {rule.reason}
        </Text>
      )}
      {rule.missing_streams.length > 0 && (
        <Text size="sm">{t('missingStreams', { streams: rule.missing_streams.join(', ') })}</Text>
      )}
      {missing.length > 0 && (
        <List size="sm">
          {missing.map(({ field, sources }) => (
            <List.Item key={field}>{t('missingField', { field, sources: sources.join(', ') })}</List.Item>
          ))}
        </List>
      )}
      {rule.verdict !== 'invalid' &&
        rule.verdict !== 'unsupported' &&
        !rule.can_run &&
        rule.reason === '' && (
          <Text size="sm">{t(rule.kind === 'rule' ? 'noQuery' : `kinds.${rule.kind}`)}</Text>
        )}
    </Section>
  );
}

function About({ rule }: { readonly rule: PackRuleDetail }) {
  const { t } = useTranslation('rules');
  const lines = (title: string, items: readonly string[]) =>
    items.length === 0 ? null : (
      <div>
        <Text size="xs" c="dimmed">
          {title}
        </Text>
        <List size="sm">
          {items.map((item) => (
            <List.Item key={item}>{/^https?:\/\//.test(item) ? <Outside to={item} /> : item}</List.Item>
          ))}
        </List>
      </div>
    );
  return (
    <Section title={t('about')}>
      {rule.description !== '' && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {rule.description}
        </Text>
      )}
      <FactList
        facts={[
          { label: t('authors'), value: rule.authors || '–' },
          { label: t('licence'), value: rule.licence || '–' },
          {
            label: t('columns.level'),
            value: rule.level === '' ? '–' : <SeverityChip severity={severityOf(rule.level)} />,
          },
          { label: t('columns.status'), value: rule.status || '–' },
          { label: t('columns.source'), value: rule.log_source || '–' },
          { label: t('columns.tactics'), value: rule.tactics.map(tacticTitle).join(', ') || '–' },
          { label: t('columns.techniques'), value: rule.techniques.join(', ') || '–' },
          { label: t('columns.pack'), value: rule.pack },
          ...(rule.own?.cloned_from
            ? [{ label: t('write.original'), value: <Original id={rule.own.cloned_from} /> }]
            : []),
          { label: t('path'), value: rule.path },
          { label: t('sigmaId'), value: rule.sigma_id ?? '–' },
          { label: t('columns.version'), value: `v${rule.version}` },
          { label: t('columns.changed'), value: <TimeStamp time={rule.changed} form="seconds" /> },
        ]}
      />
      {lines(t('falsepositives'), rule.falsepositives)}
      {lines(t('references'), rule.references)}
    </Section>
  );
}

function Original({ id }: { readonly id: string }) {
  const paths = useRulePaths();
  return (
    <Anchor component={Link} to={paths.page(id)} size="sm">
      {id}
    </Anchor>
  );
}

const Outside = ({ to }: { readonly to: string }) => (
  <Anchor href={to} target="_blank" rel="noreferrer noopener" size="sm">
    {to}
  </Anchor>
);

function Query({ rule }: { readonly rule: PackRuleDetail }) {
  const { t } = useTranslation('rules');
  const scope = useScope();
  if (rule.kql === null) return null;
  const now = Date.now();
  return (
    <Section
      title="KQL"
      actions={
        <>
          <Button
            size="compact-sm"
            variant="default"
            component={Link}
            to={findPath(scope, rule.kql, { from: now - DAY_MS, to: now })}
            leftSection={<IconExternalLink size={14} aria-hidden />}
          >
            {t('openInFind')}
          </Button>
          <CopyButton value={rule.kql} />
        </>
      }
    >
      <Text size="sm" c="dimmed">
        {t('queryHelp')}
      </Text>
      <pre className={styles.code}>{rule.kql}</pre>
    </Section>
  );
}

function Fields({ rule }: { readonly rule: PackRuleDetail }) {
  const { t } = useTranslation('rules');
  if (rule.fields.length === 0) return null;
  return (
    <Section title={t('fields')}>
      <Text size="sm" c="dimmed">
        {t('fieldsHelp', { mapping: rule.mapping ?? '–', streams: rule.streams?.join(', ') ?? 'Events' })}
      </Text>
      <WideTable label={t('fields')} minWidth={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('field')}</Table.Th>
            <Table.Th>{t('readFrom')}</Table.Th>
            <Table.Th>{t('table')}</Table.Th>
            <Table.Th>{t('here')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rule.fields.map((field) => (
            <Table.Tr key={field.field}>
              <Table.Td>{field.field}</Table.Td>
              <Table.Td>
                <code>{field.sources.join(', ')}</code>
              </Table.Td>
              <Table.Td>{field.table}</Table.Td>
              <Table.Td>
                <StateMark
                  tone={field.is_missing ? 'warn' : 'good'}
                  label={t(field.is_missing ? 'fieldMissing' : 'fieldHere')}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Section>
  );
}

/** The text of the rule, with the place marked that keeps it from running. */
function RuleText({ rule }: { readonly rule: PackRuleDetail }) {
  const { t } = useTranslation('rules');
  const { text, span } = rule;
  const isMarked = span !== null && span.end > span.start && span.end <= text.length;
  return (
    <>
      {rule.authors !== '' && (
        <Alert variant="light" color="gray" p={8}>
          {t('credit', { authors: rule.authors, licence: rule.licence || '–' })}
        </Alert>
      )}
      <pre className={styles.code} lang="en">
        {isMarked ? (
          <>
            {text.slice(0, span.start)}
            <mark className={styles.mark}>{text.slice(span.start, span.end)}</mark>
            {text.slice(span.end)}
          </>
        ) : (
          text
        )}
      </pre>
    </>
  );
}
