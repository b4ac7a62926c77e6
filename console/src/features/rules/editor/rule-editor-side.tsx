import { Anchor, Loader, Table, Text } from '@mantine/core';
import type { RuleCheck } from '@tyrian/contract';
import type { LintFinding } from '@tyrian/sigma';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { StateMark, type StateTone } from '../../../ui/state-mark.tsx';
import { WideTable } from '../../../ui/wide-table.tsx';
import { reasonKey, VERDICT_TONES, verdictKey } from '../rule-words.ts';
import rules from '../rules.module.css';
import styles from './rule-editor.module.css';
import { RuleTryOut } from './rule-try-out.tsx';
import type { SigmaRemarks, SigmaWords } from './sigma-text-services.ts';
import type { RuleCheckQuery } from './use-rule-draft.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

interface RuleEditorSideProps {
  readonly check: RuleCheckQuery;
  readonly remarks: SigmaRemarks;
  readonly words: SigmaWords;
  readonly onSelect: (span: Span) => void;
}

/** Beside the text: its verdict here, what the linter found, how its fields are read, and its query. */
export function RuleEditorSide({ check, remarks, words, onSelect }: RuleEditorSideProps) {
  const { t } = useTranslation('sigma');
  const found = check.data;
  return (
    <aside className={styles.side} aria-label={t('side')}>
      {check.isError && <ErrorPanel error={check.error} onRetry={() => void check.refetch()} />}
      {found && <Verdict check={found} isCurrent={check.isCurrent} onSelect={onSelect} />}
      <Findings findings={remarks.findings} words={words} onSelect={onSelect} text={remarks.text} />
      {found && found.fields.length > 0 && <Fields check={found} />}
      {found?.kql && (
        <Part title="KQL" actions={<CopyButton value={found.kql} />}>
          <RuleTryOut kql={found.kql} />
          <pre className={rules.code}>{found.kql}</pre>
        </Part>
      )}
    </aside>
  );
}

function Part(props: { readonly title: string; readonly actions?: ReactNode; readonly children: ReactNode }) {
  return (
    <section className={rules.section} aria-label={props.title}>
      <div className={rules.head}>
        <h2>{props.title}</h2>
        {props.actions}
      </div>
      {props.children}
    </section>
  );
}

interface VerdictProps {
  readonly check: RuleCheck;
  readonly isCurrent: boolean;
  readonly onSelect: (span: Span) => void;
}

function Verdict({ check, isCurrent, onSelect }: VerdictProps) {
  const { t } = useTranslation('sigma');
  const { t: ofRules } = useTranslation('rules');
  const { verdict, reason_code, reason, span, missing_streams, fields, breaks, same_id } = check;
  const key = reason_code === null ? null : reasonKey(reason_code);
  const missing = fields.filter(({ is_missing }) => is_missing);
  return (
    <Part
      title={ofRules('columns.verdict')}
      actions={isCurrent ? null : <Loader size={14} aria-label={t('checking')} />}
    >
      <div role="status">
        <StateMark tone={VERDICT_TONES[verdict]} label={ofRules(verdictKey(verdict))} />
      </div>
      {key && <Text size="sm">{ofRules(key)}</Text>}
      {reason !== '' && (
        <Text size="sm" c="dimmed" lang="en">
          {reason}
        </Text>
      )}
      {reason !== '' && span && span.end > span.start && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => onSelect(span)}
          style={{ justifySelf: 'start' }}
        >
          {t('showPlace')}
        </Anchor>
      )}
      {missing_streams.length > 0 && (
        <Text size="sm">{ofRules('missingStreams', { streams: missing_streams.join(', ') })}</Text>
      )}
      {missing.map(({ field, sources }) => (
        <Text size="sm" key={field}>
          {ofRules('missingField', { field, sources: sources.join(', ') })}
        </Text>
      ))}
      {breaks.length > 0 && <StateMark tone="bad" label={t('breaks', { titles: breaks.join(', ') })} />}
      {same_id !== null && <StateMark tone="bad" label={t('sameId', { title: same_id })} />}
    </Part>
  );
}

const TONES: Readonly<Record<LintFinding['severity'], StateTone>> = {
  error: 'bad',
  warning: 'warn',
  info: 'quiet',
};

interface FindingsProps {
  readonly findings: readonly LintFinding[];
  readonly text: string;
  readonly words: SigmaWords;
  readonly onSelect: (span: Span) => void;
}

function Findings({ findings, text, words, onSelect }: FindingsProps) {
  const { t } = useTranslation('sigma');
  return (
    <Part title={t('findings.title', { found: findings.length })}>
      {findings.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('findings.none')}
        </Text>
      )}
      <ul className={styles.findings}>
        {findings.map((finding) => (
          <li key={`${finding.code} ${finding.span.start}`}>
            <button type="button" onClick={() => onSelect(finding.span)}>
              <StateMark tone={TONES[finding.severity]} label={t(`severity.${finding.severity}`)} />
              <span>{words.finding(finding)}</span>
              <span className={styles.where}>
                {finding.code} · {t('line', { line: text.slice(0, finding.span.start).split('\n').length })}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Fields({ check }: { readonly check: RuleCheck }) {
  const { t: ofRules } = useTranslation('rules');
  return (
    <Part title={ofRules('fields')}>
      <Text size="sm" c="dimmed">
        {ofRules('fieldsHelp', {
          mapping: check.mapping ?? '–',
          streams: check.streams?.join(', ') ?? 'Events',
        })}
      </Text>
      <WideTable label={ofRules('fields')} minWidth={320}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{ofRules('field')}</Table.Th>
            <Table.Th>{ofRules('readFrom')}</Table.Th>
            <Table.Th>{ofRules('here')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {check.fields.map(({ field, sources, is_missing }) => (
            <Table.Tr key={field}>
              <Table.Td>{field}</Table.Td>
              <Table.Td>
                <code>{sources.join(', ')}</code>
              </Table.Td>
              <Table.Td>
                <StateMark
                  tone={is_missing ? 'warn' : 'good'}
                  label={ofRules(is_missing ? 'fieldMissing' : 'fieldHere')}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Part>
  );
}
