import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type countRules,
  listRulePacks,
  type OutputOf,
  RULE_LEVELS,
  RULE_VERDICTS,
  SAMPLE_STATES,
  tacticTitle,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { TypedSearch } from '../../ui/typed-search.tsx';
import type { ChangeLink, RuleListLink } from './rule-links.ts';
import { verdictKey } from './rule-words.ts';

interface RuleFiltersProps {
  readonly link: RuleListLink;
  readonly change: ChangeLink;
  readonly counts: OutputOf<typeof countRules> | undefined;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What narrows the list of rules. */
export function RuleFilters({ link, change, counts }: RuleFiltersProps) {
  const { t } = useTranslation('rules');
  const choices = useChoices(link, counts);
  return (
    <>
      <TypedSearch value={link.q} onChange={(q) => change({ q })} label={t('search')} />
      {choices.map(({ key, label, data, width }) => (
        <Select
          key={key}
          aria-label={label}
          placeholder={label}
          data={[...data]}
          value={link[key] || null}
          onChange={(value) => change({ [key]: value ?? '' })}
          clearable
          searchable={data.length > 10}
          clearButtonProps={{ 'aria-label': t('clear') }}
          w={width}
        />
      ))}
    </>
  );
}

function useChoices(link: RuleListLink, counts: RuleFiltersProps['counts']) {
  const { t } = useTranslation('rules');
  const { clusterId, scopeId } = useScope();
  const packs =
    useQuery(callQuery(listRulePacks, { scope_id: scopeId }, { params: { clusterId }, quiet: true })).data ??
    [];
  const named = (
    list: readonly { readonly name: string }[] = [],
    chosen: string,
    title = (name: string) => name,
  ) =>
    [...new Set([...list.map(({ name }) => name), ...(chosen ? [chosen] : [])])]
      .sort()
      .map((value): Choice => ({ value, label: title(value) }));
  const choice = (key: keyof RuleListLink, label: string, data: readonly Choice[], width = 150) => ({
    ...{ key, label, data, width },
  });
  return [
    choice(
      'verdict',
      t('columns.verdict'),
      RULE_VERDICTS.map((value) => ({ value, label: t(verdictKey(value)) })),
    ),
    choice(
      'level',
      t('columns.level'),
      RULE_LEVELS.map((value) => ({ value, label: t(`levels.${value}`) })),
    ),
    choice('source', t('columns.source'), named(counts?.log_sources, link.source), 200),
    choice('tactic', t('columns.tactics'), named(counts?.tactics, link.tactic, tacticTitle), 170),
    choice(
      'pack',
      t('columns.pack'),
      packs.map(({ pack_id, name }) => ({ value: pack_id, label: name })),
    ),
    choice('on', t('columns.enabled'), [
      { value: 'true', label: t('isOn') },
      { value: 'false', label: t('isOff') },
    ]),
    choice(
      'samples',
      t('columns.samples'),
      SAMPLE_STATES.map((value) => ({ value, label: t(`samples:states.${value}`) })),
    ),
  ];
}
