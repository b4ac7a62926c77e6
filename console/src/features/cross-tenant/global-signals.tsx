import { useQuery } from '@tanstack/react-query';
import { crossTenantSignals, type Signal } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { callQuery } from '../../lib/use-call.ts';
import { ScoreTile } from '../../ui/score-tile.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
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

function signalColumns(t: (key: string) => string): readonly DataColumn<PlacedRow<Signal>>[] {
  return [
    {
      id: 'score',
      header: t('global.score'),
      width: 80,
      value: ({ item }) => item.score,
      cell: ({ item }) => <ScoreTile score={item.score} />,
    },
    { id: 'name', header: t('global.name'), width: 380, value: ({ item }) => item.name },
    { id: 'status', header: t('global.status'), width: 130, value: ({ item }) => t(`status.${item.status}`) },
    {
      id: 'suspects',
      header: t('global.suspects'),
      width: 220,
      value: ({ item }) => item.suspects.map((one) => one.value).join(', '),
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
