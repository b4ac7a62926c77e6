import { Button, Select } from '@mantine/core';
import { STREAMS } from '@tyrian/catalog';
import {
  ATTACK_DAYS,
  ATTACK_RULE_KINDS,
  ATTACK_STATES,
  type attackTactics,
  type OutputOf,
  STAGES,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { type AttackLink, type ChangeAttackLink, filtersOf } from './attack-link.ts';

interface AttackFiltersProps {
  readonly link: AttackLink;
  readonly change: ChangeAttackLink;
  readonly lists: OutputOf<typeof attackTactics> | undefined;
}

const NONE: Partial<AttackLink> = {
  ...{ q: '', platform: '', tactic: '', state: '', stream: '', stage: '', kind: '' },
};

/** What narrows the matrix: techniques by platform, tactic and state, rules by stream, stage and kind. */
export function AttackFilters({ link, change, lists }: AttackFiltersProps) {
  const { t } = useTranslation('attack');
  const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  const choices = [
    ['platform', same(lists?.platforms ?? []), 150],
    ['tactic', same(lists?.tactics.map(({ name }) => name) ?? []), 170],
    ['state', ATTACK_STATES.map((value) => ({ value, label: t(`states.${value}`) })), 140],
    ['stream', same(STREAMS.map(({ name }) => name)), 160],
    ['stage', STAGES.map((value) => ({ value, label: t(`workbooks:stages.${value}`) })), 130],
    ['kind', ATTACK_RULE_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) })), 140],
  ] as const;
  return (
    <>
      <TypedSearch value={link.q} onChange={(q) => change({ q })} label={t('search')} />
      {choices.map(([key, data, width]) => (
        <Select
          key={key}
          aria-label={t(`filters.${key}`)}
          placeholder={t(`filters.${key}`)}
          data={[...data]}
          value={link[key] || null}
          onChange={(value) => change({ [key]: value ?? '' })}
          clearable
          searchable={data.length > 10}
          clearButtonProps={{ 'aria-label': t('filters.clear') }}
          w={width}
        />
      ))}
      {link.view === 'signals' && (
        <Select
          aria-label={t('days.label')}
          data={ATTACK_DAYS.map((days) => ({ value: String(days), label: t(`days.${days}`) }))}
          value={String(link.days)}
          onChange={(value) => change({ days: Number(value ?? 7) })}
          allowDeselect={false}
          w={150}
        />
      )}
      {filtersOf(link).length > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => change(NONE)}>
          {t('filters.clearAll')}
        </Button>
      )}
    </>
  );
}
