import { Button, Checkbox, Select } from '@mantine/core';
import { IconCpu, IconListCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { JOB_KINDS, JOB_STATES, type JobItem, type JobState, listJobs } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { scopePath } from '../../lib/scope-path.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ListFrame } from '../../ui/list-frame.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { JobFlyout } from './job-flyout.tsx';
import { doneText, failureText, STATE_TONES, useJobName } from './job-words.ts';

const LOOK_AGAIN_MS = 5000;
const SHOWN = 500;

/** What runs behind answers and by the clock: what runs and waits first, then what ended. */
export function JobListPage() {
  const { t } = useTranslation('jobs');
  const nameOf = useJobName();
  const filter = useJobFilter();
  const [openId, setOpenId] = useState<string | null>(null);
  const { list, open } = useJobs(filter, openId);
  const columns = useMemo(() => jobColumns(t, nameOf), [t, nameOf]);
  return (
    <ListFrame
      icon={IconListCheck}
      title={t('title')}
      name="jobs"
      list={list}
      columns={columns}
      rowId={(one) => one.job_id}
      openId={openId}
      onOpen={(one) => setOpenId(one.job_id)}
      query={filter.query}
      onQuery={filter.setQuery}
      isFiltered={filter.state !== '' || filter.kind !== ''}
      searchLabel={t('search')}
      emptyTitle={t('none')}
      emptyText={t('noneText')}
      noMatch={t('noMatch')}
      aside={open ? <JobFlyout job={open} onClose={() => setOpenId(null)} /> : null}
      actions={<ComponentsButton />}
      filters={<Filters filter={filter} />}
    />
  );
}

type JobFilter = ReturnType<typeof useJobFilter>;

/** What is shown; it stands in the address. */
function useJobFilter() {
  const [query, setQuery] = useAddressParam('q');
  const [state, setState] = useAddressParam('state');
  const [kind, setKind] = useAddressParam('kind');
  const [quiet, setQuiet] = useAddressParam('quiet');
  return { query, setQuery, state, setState, kind, setKind, quiet, setQuiet };
}

/** The jobs by state and kind as the server has them; the text is looked for in what is shown of them. */
function useJobs({ query, state, kind, quiet }: JobFilter, openId: string | null) {
  const nameOf = useJobName();
  const input = {
    ...(JOB_STATES.some((one) => one === state) ? { state: state as JobState } : {}),
    ...(kind ? { kind } : {}),
    ...(quiet ? { quiet: true } : {}),
    pageno: 1,
    pagesize: SHOWN,
  };
  const all = useQuery(callQuery(listJobs, input, { every: LOOK_AGAIN_MS, quiet: true, keep: true }));
  const text = query.trim().toLowerCase();
  const rows = all.data?.data.filter((one) =>
    [nameOf(one.kind), one.cluster_name, one.asked_by, failureText(one)].some((value) =>
      value?.toLowerCase().includes(text),
    ),
  );
  const list = {
    data: rows && { data: rows, total_count: text ? rows.length : (all.data?.total_count ?? 0) },
    isPlaceholderData: all.isPlaceholderData,
    isLoadingError: all.isLoadingError,
    error: all.error,
    refetch: () => all.refetch(),
  };
  return { list, open: all.data?.data.find((one) => one.job_id === openId) };
}

/** The way to the components, for who may see them. */
function ComponentsButton() {
  const { t } = useTranslation('jobs');
  const { user, tags } = useSignedIn();
  if (!tags.includes('root') && !tags.includes('root-viewer')) return null;
  const scope = { clusterId: user.clusterId, scopeId: user.scope_id };
  return (
    <Button
      variant="default"
      component={Link}
      to={scopePath(scope, '/admin/components')}
      leftSection={<IconCpu size={14} aria-hidden />}
    >
      {t('components')}
    </Button>
  );
}

function Filters({ filter }: { readonly filter: JobFilter }) {
  const { t } = useTranslation('jobs');
  const nameOf = useJobName();
  return (
    <>
      <Select
        aria-label={t('kind')}
        placeholder={t('kind')}
        clearable
        searchable
        w={220}
        value={filter.kind || null}
        onChange={(value) => filter.setKind(value ?? '')}
        data={JOB_KINDS.map((value) => ({ value, label: nameOf(value) }))}
      />
      <Select
        aria-label={t('state')}
        placeholder={t('state')}
        clearable
        w={150}
        value={filter.state || null}
        onChange={(value) => filter.setState(value ?? '')}
        data={JOB_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
      />
      <Checkbox
        label={t('quiet')}
        checked={filter.quiet !== ''}
        onChange={(event) => filter.setQuiet(event.currentTarget.checked ? 'true' : '')}
      />
    </>
  );
}

function jobColumns(
  t: (key: string) => string,
  nameOf: (kind: string) => string,
): readonly DataColumn<JobItem>[] {
  const time = (id: 'started' | 'ended' | 'due'): DataColumn<JobItem> => ({
    id,
    header: t(id),
    width: 165,
    value: (one) => one[id],
    cell: (one) => (one[id] === null ? '–' : <TimeStamp time={one[id]} form="seconds" />),
  });
  const stateOf = (one: JobItem) => t(one.is_canceling ? 'canceling' : `states.${one.state}`);
  return [
    { id: 'kind', header: t('kind'), width: 240, value: (one) => nameOf(one.kind) },
    {
      id: 'state',
      header: t('state'),
      width: 110,
      value: stateOf,
      cell: (one) => <StateMark tone={STATE_TONES[one.state]} label={stateOf(one)} />,
    },
    { id: 'tenant', header: t('tenant'), width: 150, value: (one) => one.cluster_name ?? t('allTenants') },
    time('started'),
    time('ended'),
    { id: 'done', header: t('done'), width: 100, align: 'right', value: (one) => one.done, cell: doneText },
    { id: 'error', header: t('error'), width: 320, value: failureText },
    {
      id: 'asked',
      header: t('asked'),
      width: 170,
      value: (one) => one.asked_by ?? t(one.is_scheduled ? 'clock' : 'product'),
    },
    time('due'),
    { id: 'attempt', header: t('attempt'), width: 100, align: 'right', value: (one) => one.attempt },
  ];
}
