import { useQuery } from '@tanstack/react-query';
import { type Case, crossTenantCases } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { callQuery } from '../../lib/use-call.ts';
import { SeverityChip } from '../../ui/severity-chip.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { GlobalFrame, scopeColumns } from './global-frame.tsx';
import { crossTenantInput, type PlacedRow, useCrossTenant } from './use-cross-tenant.ts';

/** Cases of every scope, those changed last first. */
export function GlobalCases() {
  const { t } = useTranslation('cross-tenant');
  const [params] = useSearchParams();
  const input = crossTenantInput(params.get('q') ?? '');
  const across = useCrossTenant(useQuery(callQuery(crossTenantCases, input, { quiet: true, keep: true })));
  const columns = useMemo(() => caseColumns(t), [t]);
  return (
    <GlobalFrame
      option="cases"
      across={across}
      columns={columns}
      idOf={(one) => one.case_id}
      pathOf={(one) => `/incident/cases/${encodeURIComponent(one.case_id)}`}
    />
  );
}

function caseColumns(t: (key: string) => string): readonly DataColumn<PlacedRow<Case>>[] {
  return [
    { id: 'key', header: t('global.key'), width: 110, value: ({ item }) => item.case_key },
    { id: 'name', header: t('global.name'), width: 320, value: ({ item }) => item.case_name },
    {
      id: 'severity',
      header: t('global.severity'),
      width: 120,
      value: ({ item }) => item.severity,
      cell: ({ item }) => <SeverityChip severity={item.severity} />,
    },
    { id: 'status', header: t('global.status'), width: 130, value: ({ item }) => t(`status.${item.status}`) },
    { id: 'handler', header: t('global.handler'), width: 170, value: ({ item }) => item.handler?.name },
    ...scopeColumns<Case>(t),
    {
      id: 'created',
      header: t('global.created'),
      width: 200,
      value: ({ item }) => item.created,
      cell: ({ item }) => <TimeStamp time={item.created} form="seconds" />,
    },
  ];
}
