import { Button } from '@mantine/core';
import { IconHeartRateMonitor, IconTimeline } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { HealthList } from './health-list.tsx';
import { LedgerFlyout } from './ledger-flyout.tsx';
import { TuningList } from './tuning-list.tsx';
import { useHealthColumns } from './use-health-columns.tsx';

const DEAREST_FIRST = { id: 'cpu_ms_day', desc: true } as const;

/** Whether the rules of the scope are worth what they cost: lag, cost, noise, silence, and what people ask to change. */
export function RuleHealthPage() {
  const { t } = useTranslation('rule-health');
  const scope = useScope();
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconHeartRateMonitor}
          title={t('title')}
          actions={
            <Button
              variant="default"
              component={Link}
              to={scopePath(scope, '/jobs/signals')}
              leftSection={<IconTimeline size={14} aria-hidden />}
            >
              {t('runs.title')}
            </Button>
          }
        />
      }
    >
      <PageTabs
        tabs={[
          { name: 'rules', label: t('rulesTab'), fills: true, panel: <RuleList /> },
          { name: 'tuning', label: t('tuning.tab'), fills: true, panel: <TuningList /> },
        ]}
      />
    </PageLayout>
  );
}

function RuleList() {
  const { t } = useTranslation('rule-health');
  const [rule, setRule] = useAddressParam('rule');
  const columns = useHealthColumns();
  return (
    <HealthList
      title={t('title')}
      name="rule-health"
      columns={columns}
      first={DEAREST_FIRST}
      openId={rule}
      onOpen={({ ID }) => setRule(ID)}
      aside={rule === '' ? null : <LedgerFlyout key={rule} ID={rule} onClose={() => setRule('')} />}
    />
  );
}
