import { IconTimeline } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAddressParam } from '../../lib/use-address.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { HealthList } from './health-list.tsx';
import { LedgerFlyout } from './ledger-flyout.tsx';
import { StreamList } from './stream-list.tsx';
import { useRunColumns } from './use-run-columns.tsx';

const WORST_FIRST = { id: 'state', desc: false } as const;

/** Runs of the rules that raise signals, with the ledger of each; and the streams that they read. */
export function SignalJobsPage() {
  const { t } = useTranslation('rule-health');
  return (
    <PageLayout head={<PageHead icon={IconTimeline} title={t('runs.title')} />}>
      <PageTabs
        tabs={[
          { name: 'runs', label: t('runs.tab'), fills: true, panel: <RunList /> },
          { name: 'streams', label: t('streams.tab'), fills: true, panel: <StreamList /> },
        ]}
      />
    </PageLayout>
  );
}

function RunList() {
  const { t } = useTranslation('rule-health');
  const [rule, setRule] = useAddressParam('rule');
  const columns = useRunColumns();
  return (
    <HealthList
      title={t('runs.title')}
      name="signal-runs"
      columns={columns}
      first={WORST_FIRST}
      openId={rule}
      onOpen={({ ID }) => setRule(ID)}
      aside={rule === '' ? null : <LedgerFlyout key={rule} ID={rule} onClose={() => setRule('')} />}
    />
  );
}
