import { useQuery } from '@tanstack/react-query';
import { crossTenantSignals, type Signal } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { actorsFirst } from '../../lib/actors-first.ts';
import { callQuery } from '../../lib/use-call.ts';
import { EntityChip } from '../../ui/entity-chip.tsx';
import { ScoreTile } from '../../ui/score-tile.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import classes from './global-frame.module.css';
import { GlobalFrame, scopeColumns } from './global-frame.tsx';
import { crossTenantInput, type PlacedRow, useCrossTenant } from './use-cross-tenant.ts';

/** Signals of every scope, those seen last first. */
export function GlobalSignals() {
  const { t } = useTranslation('cross-tenant');
  const [params] = useSearchParams();
  const input = crossTenantInput(params.get('q') ?? '');
  const across = useCrossTenant(useQuery(callQuery(crossTenantSignals, input, { quiet: true, keep: true })));
  const columns = useMemo(() => signalColumns(t), [t]);
  return (
    <GlobalFrame
      option="signals"
      across={across}
      columns={columns}
      idOf={(one) => one.signal_id}
      pathOf={(one) => `/incident/signals?signal=${encodeURIComponent(one.signal_id)}`}
    />
  );
}

/** The suspect that is asked for first, and how many there are besides. */
function Suspects({ signal }: { readonly signal: Signal }) {
  const [first, ...rest] = actorsFirst(signal.suspects);
  if (!first) return null;
  return (
    <span className={classes.suspects}>
      <EntityChip type={first.type} value={first.value} part="suspect" />
      {rest.length > 0 && (
        <span className={classes.rest} title={rest.map(({ value }) => value).join('\n')}>
          +{rest.length}
        </span>
      )}
    </span>
  );
}

function signalColumns(t: (key: string) => string): readonly DataColumn<PlacedRow<Signal>>[] {
  return [
    {
      id: 'score',
      header: t('global.score'),
      width: 80,
      value: ({ item }) => item.score,
      cell: ({ item }) => <ScoreTile score={item.score} />,
    },
    { id: 'name', header: t('global.name'), width: 300, grows: true, value: ({ item }) => item.name },
    { id: 'status', header: t('global.status'), width: 130, value: ({ item }) => t(`status.${item.status}`) },
    {
      id: 'suspects',
      header: t('global.suspects'),
      width: 240,
      value: ({ item }) =>
        actorsFirst(item.suspects)
          .map((one) => one.value)
          .join(', '),
      cell: ({ item }) => <Suspects signal={item} />,
    },
    ...scopeColumns<Signal>(t),
    {
      id: 'last',
      header: t('global.last'),
      width: 200,
      value: ({ item }) => item.last_time,
      cell: ({ item }) => <TimeStamp time={item.last_time} form="seconds" />,
    },
  ];
}
