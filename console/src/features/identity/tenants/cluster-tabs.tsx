import type { TFunction } from 'i18next';
import { SamplePolicySettings } from '../../samples/public.ts';
import { AuditTable } from '../audit/audit-table.tsx';
import { RetentionTable } from './retention-table.tsx';

/** The tabs that a cluster has for root and as a tenant alike: how long its events are kept, what its rules owe, its audit trail. */
export function clusterTabs(t: TFunction<'tenants'>, clusterId: string, mayChange: boolean) {
  return [
    {
      name: 'retention',
      label: t('tab.retention'),
      panel: <RetentionTable clusterId={clusterId} mayChange={mayChange} />,
    },
    { name: 'rules', label: t('tab.rules'), panel: <SamplePolicySettings clusterId={clusterId} /> },
    { name: 'audit', label: t('tab.audit'), fills: true, panel: <AuditTable clusterId={clusterId} /> },
  ];
}
