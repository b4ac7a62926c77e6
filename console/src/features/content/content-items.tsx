import { Anchor, Button, Group, Select, Table, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import {
  type ContentItem,
  decisionsFor,
  ITEM_DECISIONS,
  ITEM_STATES,
  type ItemDecision,
  type OutputOf,
  readRuleImport,
  type uploadContent,
  usualDecision,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import styles from './content.module.css';
import { useContentPaths } from './content-links.ts';

type Report = OutputOf<typeof uploadContent>;

interface ContentItemsProps {
  readonly report: Report;
  readonly decisions: Readonly<Record<string, ItemDecision>>;
  readonly onDecide: (itemIds: readonly string[], decision: ItemDecision) => void;
}

/** What needs a decision first, then what is clear. */
const ORDER: readonly ContentItem['state'][] = ['changed', 'clash', 'new', 'invalid', 'same', 'ignored'];
/** Rows that are drawn; more are counted. */
const SHOWN = 500;

/** The files of an archive with what each would do, or what was done with it. */
export function ContentItems({ report, decisions, onDecide }: ContentItemsProps) {
  const { t } = useTranslation('content');
  const { items, step } = report;
  const sorted = [...items].sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
  const changed = items.filter((item) => item.state === 'changed').map(({ item_id }) => item_id);
  return (
    <>
      <Text size="sm" role="status">
        {step === 'preview' ? summaryOf(t, items) : outcomesOf(t, items)}
      </Text>
      {step === 'preview' && changed.length > 1 && <DecideAll ids={changed} onDecide={onDecide} />}
      <div className={styles.items}>
        <WideTable label={t('upload.items')} minWidth={620}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('upload.item')}</Table.Th>
              <Table.Th>{t('columns.kind')}</Table.Th>
              <Table.Th>{t('upload.state')}</Table.Th>
              <Table.Th>{t(step === 'preview' ? 'upload.decision' : 'upload.outcome')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sorted.slice(0, SHOWN).map((item) => (
              <ItemRow
                key={item.item_id}
                item={item}
                decision={decisions[item.item_id] ?? usualDecision(item)}
                onDecide={(decision) => onDecide([item.item_id], decision)}
              />
            ))}
          </Table.Tbody>
        </WideTable>
        {sorted.length > SHOWN && (
          <Text size="sm" c="dimmed">
            {t('upload.more', { count: sorted.length - SHOWN })}
          </Text>
        )}
      </div>
      <Imports imports={report.imports} />
    </>
  );
}

interface DecideAllProps extends Pick<ContentItemsProps, 'onDecide'> {
  readonly ids: readonly string[];
}

/** One decision about everything that would replace something. */
function DecideAll({ ids, onDecide }: DecideAllProps) {
  const { t } = useTranslation('content');
  const button = { size: 'xs', variant: 'default' } as const;
  return (
    <Group gap={8}>
      <Button {...button} onClick={() => onDecide(ids, 'take')}>
        {t('upload.replaceAll', { count: ids.length })}
      </Button>
      <Button {...button} onClick={() => onDecide(ids, 'skip')}>
        {t('upload.skipAll', { count: ids.length })}
      </Button>
    </Group>
  );
}

type T = ReturnType<typeof useTranslation<'content'>>['t'];

function summaryOf(t: T, items: readonly ContentItem[]): string {
  return ITEM_STATES.flatMap((state) => {
    const count = items.filter((item) => item.state === state).length;
    return count === 0 ? [] : [t(`upload.counts.${state}`, { count })];
  }).join(' · ');
}

const OUTCOMES = ['added', 'replaced', 'copied', 'importing', 'skipped', 'failed'] as const;

function outcomesOf(t: T, items: readonly ContentItem[]): string {
  return OUTCOMES.flatMap((outcome) => {
    const count = items.filter((item) => item.outcome === outcome).length;
    return count === 0 ? [] : [t(`upload.done.${outcome}`, { count })];
  }).join(' · ');
}

const TONES = {
  new: 'good',
  changed: 'warn',
  clash: 'warn',
  same: 'quiet',
  invalid: 'bad',
  ignored: 'quiet',
} as const;

interface ItemRowProps {
  readonly item: ContentItem;
  readonly decision: ItemDecision;
  readonly onDecide: (decision: ItemDecision) => void;
}

function ItemRow({ item, decision, onDecide }: ItemRowProps) {
  const { t } = useTranslation('content');
  const { name, path, kind, state, problem, pack, verdict } = item;
  const more = kind === 'rule' ? pack : kind === 'settings' ? t('upload.rules', { count: item.count }) : '';
  return (
    <Table.Tr>
      <Table.Td>
        {name || path}
        {name && <div className={styles.path}>{path}</div>}
        {problem && (
          <Text size="xs" c={state === 'invalid' ? 'red' : undefined}>
            {problem.line !== null && <strong>{t('upload.line', { line: problem.line })} </strong>}
            {serverText(problem)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {t(`itemKind.${kind}`)}
        {more && <div className={styles.path}>{more}</div>}
      </Table.Td>
      <Table.Td>
        <StateMark tone={TONES[state]} label={t(`itemState.${state}`)} />
        {verdict !== null && verdict !== 'runs' && state !== 'invalid' && (
          <div className={styles.path}>{t('upload.doesNotRun')}</div>
        )}
      </Table.Td>
      <Table.Td>
        {item.outcome === null ? (
          <DecisionSelect item={item} decision={decision} onDecide={onDecide} />
        ) : (
          t(`outcome.${item.outcome}`)
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function DecisionSelect({ item, decision, onDecide }: ItemRowProps) {
  const { t } = useTranslation('content');
  const possible = decisionsFor(item);
  if (possible.length < 2) return <Text size="sm">{t('decision.skip')}</Text>;
  const label = (value: ItemDecision) =>
    t(value === 'take' && item.state === 'new' ? 'decision.add' : `decision.${value}`);
  return (
    <Select
      size="xs"
      aria-label={t('upload.decisionOf', { name: item.name || item.path })}
      data={ITEM_DECISIONS.filter((value) => possible.includes(value)).map((value) => ({
        value,
        label: label(value),
      }))}
      value={decision}
      onChange={(value) => onDecide(ITEM_DECISIONS.find((one) => one === value) ?? 'skip')}
      allowDeselect={false}
      w={150}
    />
  );
}

const OPEN = ['uploading', 'waiting', 'running'];

/** Packs that are being imported behind the answer, each until it has ended. */
function Imports({ imports }: Pick<Report, 'imports'>) {
  const { t } = useTranslation('content');
  const { clusterId, scopeId } = useScope();
  const paths = useContentPaths();
  const all = useQueries({
    queries: imports.map(({ import_id }) => ({
      ...callQuery(readRuleImport, { scope_id: scopeId, import_id }, { params: { clusterId }, quiet: true }),
      refetchInterval: ({ state }: { state: { data?: { state: string } | undefined } }) =>
        state.data && !OPEN.includes(state.data.state) ? (false as const) : 1_000,
    })),
  });
  return imports.map(({ pack, import_id }, at) => {
    const found = all[at]?.data;
    const state = found?.state ?? 'waiting';
    return (
      <Group key={import_id} gap={10}>
        <StateMark
          tone={state === 'done' ? 'good' : state === 'failed' ? 'bad' : 'quiet'}
          label={t(`importState.${OPEN.includes(state) ? 'running' : state}`, { pack })}
        />
        {found?.review && state === 'done' && (
          <Anchor component={Link} to={paths.updates('rule')} size="sm">
            {t('toReview')}
          </Anchor>
        )}
        {found?.error && <Text size="sm">{serverText({ ...found, message: found.error })}</Text>}
      </Group>
    );
  });
}
