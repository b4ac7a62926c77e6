import { Button, Select } from '@mantine/core';
import { IconCalendarTime, IconTimeline } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RunningWorkbook, runningWorkbooks } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ListFrame } from '../../ui/list-frame.tsx';
import { runsPath } from './rule-health-words.ts';
import { useScheduledColumns } from './use-scheduled-columns.tsx';

const SHOWN = 500;
const MODES = ['scheduled', 'streamed', 'all'] as const;

/** What runs by itself in the scope: by cron expression first, every minute, or both. */
export function ScheduledJobsPage() {
  const { t } = useTranslation('rule-health');
  const scope = useScope();
  const navigate = useNavigate();
  const [query, setQuery] = useAddressParam('q');
  const [modeName, setMode] = useAddressParam('mode');
  const mode = MODES.find((one) => one === modeName) ?? 'all';
  const list = useQuery(
    callQuery(
      runningWorkbooks,
      { scope_id: scope.scopeId, mode, text: query.slice(0, 200), pagesize: SHOWN },
      { params: { clusterId: scope.clusterId }, quiet: true, keep: true, every: 30_000 },
    ),
  );
  const columns = useScheduledColumns();
  return (
    <ListFrame<RunningWorkbook>
      icon={IconCalendarTime}
      title={t('scheduled.title')}
      name="scheduled-jobs"
      list={list}
      columns={columns}
      rowId={(one) => one.ID}
      onOpen={(one) => void navigate(runsPath(scope, one.ID))}
      query={query}
      onQuery={setQuery}
      isFiltered={mode !== 'all'}
      searchLabel={t('search')}
      emptyTitle={t('scheduled.none')}
      emptyText={t('scheduled.noneText')}
      noMatch={t('noMatch')}
      filters={
        <Select
          aria-label={t('scheduled.mode')}
          allowDeselect={false}
          w={170}
          value={mode}
          onChange={(value) => setMode(value === 'all' || value === null ? '' : value)}
          data={MODES.map((value) => ({ value, label: t(`scheduled.modes.${value}`) }))}
        />
      }
      actions={<RunsButton />}
    />
  );
}

function RunsButton() {
  const { t } = useTranslation('rule-health');
  return (
    <Button
      variant="default"
      component={Link}
      to={scopePath(useScope(), '/jobs/signals')}
      leftSection={<IconTimeline size={14} aria-hidden />}
    >
      {t('runs.title')}
    </Button>
  );
}
