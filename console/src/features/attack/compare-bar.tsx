import { Button, Select, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import {
  attackActors,
  type attackComparison,
  attackHistory,
  listLayers,
  type OutputOf,
} from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import styles from './attack.module.css';
import type { AttackLink, ChangeAttackLink } from './attack-link.ts';

interface CompareBarProps {
  readonly link: AttackLink;
  readonly change: ChangeAttackLink;
  readonly comparison: UseQueryResult<OutputOf<typeof attackComparison>>;
}

/** What the matrix is compared with, and how the scope stands beside it. */
export function CompareBar({ link, change, comparison }: CompareBarProps) {
  const { t } = useTranslation('attack');
  const data = useTargets();
  const found = link.against === '' ? undefined : comparison.data;
  return (
    <section className={styles.compare} aria-label={t('compare.label')}>
      <Select
        aria-label={t('compare.label')}
        placeholder={t('compare.label')}
        data={data}
        value={link.against || null}
        onChange={(value) => change({ against: value ?? '' })}
        searchable
        clearable
        limit={200}
        clearButtonProps={{ 'aria-label': t('compare.end') }}
        nothingFoundMessage={t('compare.nothing')}
        w={280}
      />
      {link.against !== '' && comparison.error && (
        <>
          <Text size="sm" c="red">
            {serverText(comparison.error)}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => void comparison.refetch()}>
            {t('compare.again')}
          </Button>
        </>
      )}
      {found && <Figures found={found} />}
    </section>
  );
}

function Figures({ found }: { readonly found: OutputOf<typeof attackComparison> }) {
  const { t } = useTranslation('attack');
  const { named, watched, blind, better, worse } = found.figures;
  const name = found.name;
  return (
    <div aria-live="polite">
      <Text size="sm">
        {found.has_states
          ? better + worse === 0
            ? t('compare.same', { name })
            : t('compare.moved', { name, better, worse })
          : t('compare.watched', { name, watched, named, blind, open: named - watched - blind })}
      </Text>
      {found.unknown.length > 0 && (
        <Text size="xs" c="dimmed">
          {t('compare.unknown', { ids: found.unknown.join(', ') })}
        </Text>
      )}
    </div>
  );
}

/** Layers, days, groups and campaigns, as the address names them. */
function useTargets() {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const extras = { params: { clusterId }, quiet: true } as const;
  const scope = { scope_id: scopeId };
  const layers = useQuery(callQuery(listLayers, scope, extras)).data;
  const days = useQuery(callQuery(attackHistory, scope, extras)).data;
  const actors = useQuery({
    ...callQuery(attackActors, scope, extras),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  return useMemo(() => {
    const of = (kind: 'group' | 'campaign') =>
      (actors ?? [])
        .filter((actor) => actor.kind === kind)
        .map(({ id, name, aliases }) => ({
          value: `actor:${id}`,
          label: [`${name} (${id})`, ...aliases].join(' · '),
        }));
    return [
      {
        group: t('compare.layers'),
        items: (layers ?? []).map(({ layer_id, name }) => ({ value: `layer:${layer_id}`, label: name })),
      },
      {
        group: t('compare.days'),
        items: (days ?? []).map(({ day }) => ({ value: `day:${day}`, label: day })),
      },
      { group: t('compare.groups'), items: of('group') },
      { group: t('compare.campaigns'), items: of('campaign') },
    ].filter(({ items }) => items.length > 0);
  }, [layers, days, actors, t]);
}
