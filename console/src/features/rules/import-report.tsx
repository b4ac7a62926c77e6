import { Alert, Anchor, Button, Select, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  listRuleChanges,
  RULE_CHANGES,
  RULE_VERDICTS,
  type RuleChange,
  type RuleImport,
  tacticTitle,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { useRulePaths } from './rule-links.ts';
import { IMPORT_TONES, verdictKey } from './rule-words.ts';
import styles from './rules.module.css';

const SHOWN = 8;
const PAGE = 100;

/** What an import found, and what it changed in its pack. */
export function ImportReport({ found }: { readonly found: RuleImport }) {
  const { t } = useTranslation('rules');
  const { locale } = useSettings();
  const paths = useRulePaths();
  const number = (count: number) => formatInteger(count, locale);
  const changes = RULE_CHANGES.filter((change) => (found.changes[change] ?? 0) > 0);
  if (found.state !== 'done')
    return (
      <Alert color={found.state === 'failed' ? 'red' : 'gray'} variant="light" role="status">
        {found.error === null
          ? t(`import.states.${found.state}`)
          : serverText({ ...found, message: found.error })}
      </Alert>
    );
  return (
    <>
      <StateMark
        tone={IMPORT_TONES[found.state]}
        label={t(found.review ? 'import.doneForReview' : 'import.done', { pack: found.pack })}
      />
      <Totals found={found} />
      <Text size="sm" fw={600}>
        {changes.length === 0
          ? t('import.noChange')
          : changes
              .map((change) => t(`changes.${change}`, { count: number(found.changes[change] ?? 0) }))
              .join(' · ')}
      </Text>
      {found.review && changes.length > 0 && (
        <Anchor component={Link} to={paths.updates} size="sm">
          {t('import.toReview')}
        </Anchor>
      )}
      {changes.length > 0 && <Changes importId={found.import_id} />}
    </>
  );
}

/** How many rules got which verdict, by tactic and log source too. */
function Totals({ found }: { readonly found: RuleImport }) {
  const { t } = useTranslation('rules');
  const { locale } = useSettings();
  const number = (count: number) => formatInteger(count, locale);
  return (
    <div className={styles.columns}>
      <Counts
        title={t('columns.verdict')}
        counts={RULE_VERDICTS.flatMap((verdict) => {
          const count = found.verdicts[verdict] ?? 0;
          return count > 0 ? [[t(verdictKey(verdict)), number(count)] as const] : [];
        })}
      />
      <Counts
        title={t('columns.tactics')}
        counts={largest(found.tactics).map(([name, count]) => [tacticTitle(name), number(count)])}
      />
      <Counts
        title={t('columns.source')}
        counts={largest(found.log_sources).map(([name, count]) => [name, number(count)])}
      />
    </div>
  );
}

const largest = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .slice(0, SHOWN);

function Counts(props: { readonly title: string; readonly counts: readonly (readonly [string, string])[] }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {props.title}
      </Text>
      <ul className={styles.counts} aria-label={props.title}>
        {props.counts.map(([name, count]) => (
          <li key={name}>
            <span>{name}</span>
            <strong>{count}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Changes({ importId }: { readonly importId: string }) {
  const { t } = useTranslation('rules');
  const { clusterId, scopeId } = useScope();
  const [change, setChange] = useState<RuleChange['change'] | null>(null);
  const [size, setSize] = useState(PAGE);
  const found = useQuery(
    callQuery(
      listRuleChanges,
      { scope_id: scopeId, import_id: importId, pagesize: size, ...(change ? { change } : {}) },
      { params: { clusterId }, keep: true },
    ),
  ).data;
  return (
    <>
      <Select
        aria-label={t('import.change')}
        placeholder={t('import.change')}
        clearable
        w={200}
        value={change}
        onChange={(value) => setChange(RULE_CHANGES.find((one) => one === value) ?? null)}
        data={RULE_CHANGES.map((value) => ({ value, label: t(`change.${value}`) }))}
      />
      <WideTable label={t('import.changed')} minWidth={520}>
        <Table.Tbody>
          {(found?.data ?? []).map((one) => (
            <ChangedRule key={one.rule_id} one={one} />
          ))}
        </Table.Tbody>
      </WideTable>
      {found && found.total_count > size && size < 500 && (
        <Button variant="default" size="xs" onClick={() => setSize(500)}>
          {t('import.more')}
        </Button>
      )}
    </>
  );
}

function ChangedRule({ one }: { readonly one: RuleChange }) {
  const { t } = useTranslation('rules');
  const paths = useRulePaths();
  const verdict = (value: RuleChange['verdict_after']) => (value === null ? '–' : t(verdictKey(value)));
  const isOther = one.verdict_before !== one.verdict_after;
  return (
    <Table.Tr>
      <Table.Td>{t(`change.${one.change}`)}</Table.Td>
      <Table.Td>
        {one.change === 'gone' ? (
          one.title
        ) : (
          <Anchor component={Link} to={paths.page(one.rule_id)} size="sm">
            {one.title}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td>
        {one.verdict_before !== null && isOther
          ? `${verdict(one.verdict_before)} → ${verdict(one.verdict_after)}`
          : verdict(one.verdict_after)}
      </Table.Td>
    </Table.Tr>
  );
}
