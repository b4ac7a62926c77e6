import { Button, Group, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { decideModelRequest, listModelRequests, type ModelRequest } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { AuthorAndTime } from '../../ui/time-stamp.tsx';
import { STALE } from './use-data-model.ts';

const TONES = { open: 'warn', approved: 'good', refused: 'quiet' } as const;

const nameOf = ({ stream, field }: ModelRequest): string => (field === '' ? stream : `${stream}.${field}`);

/** What was asked to be added; content managers approve or refuse. */
export function RequestList({ mayDecide, search }: { readonly mayDecide: boolean; readonly search: string }) {
  const { t } = useTranslation('data-model');
  const { clusterId } = useScope();
  const [refused, setRefused] = useState<ModelRequest | null>(null);
  const list = useQuery(
    callQuery(listModelRequests, {}, { params: { clusterId }, quiet: true, keep: true, every: 60_000 }),
  );
  const { mutate: decide } = useCallMutation(decideModelRequest, { stale: STALE });
  const columns = useMemo((): readonly DataColumn<ModelRequest>[] => {
    const approve = (one: ModelRequest) =>
      decide(
        { params: { clusterId }, input: { request_id: one.request_id, approve: true } },
        { onSuccess: () => notify('done', t('approved', { name: nameOf(one) })) },
      );
    return [...contentColumns(t), ...(mayDecide ? [actsColumn(t, approve, setRefused)] : [])];
  }, [t, clusterId, mayDecide, decide]);
  const wanted = search.trim().toLowerCase();
  const rows = list.data?.filter((one) =>
    [nameOf(one), one.source, one.asked_by, one.description].join(' ').toLowerCase().includes(wanted),
  );
  return (
    <>
      <DataTable
        label={t('requests')}
        rows={rows}
        columns={columns}
        rowId={(one) => one.request_id}
        storageName="dataModelRequests"
        failed={
          list.isLoadingError ? <ErrorPanel error={list.error} onRetry={() => void list.refetch()} /> : null
        }
        empty={
          wanted === '' ? (
            <EmptyState kind="nothing-yet" title={t('noRequests')} text={t('noRequestsText')} />
          ) : (
            <EmptyState kind="filtered-out" title={t('noMatch')} />
          )
        }
      />
      {refused && <RefuseDialog request={refused} onClose={() => setRefused(null)} />}
    </>
  );
}

type T = ReturnType<typeof useTranslation<'data-model'>>['t'];

const contentColumns = (t: T): DataColumn<ModelRequest>[] => [
  {
    id: 'name',
    header: t('name'),
    width: 240,
    value: nameOf,
    cell: (one) => <span className="mono">{nameOf(one)}</span>,
  },
  { id: 'type', header: t('type'), width: 90, value: (one) => (one.field === '' ? t('stream') : one.type) },
  { id: 'source', header: t('neededBy'), width: 190, value: (one) => one.source },
  { id: 'description', header: t('description'), width: 240, grows: true, value: (one) => one.description },
  {
    id: 'asked',
    header: t('askedBy'),
    width: 260,
    value: (one) => one.created,
    cell: (one) => <AuthorAndTime author={one.asked_by} time={one.created} />,
  },
  {
    id: 'state',
    header: t('state'),
    width: 240,
    value: (one) => one.state,
    cell: (one) => (
      <StateMark
        tone={TONES[one.state]}
        label={one.reason === '' ? t(`states.${one.state}`) : `${t(`states.${one.state}`)}: ${one.reason}`}
      />
    ),
  },
];

const actsColumn = (
  t: T,
  approve: (request: ModelRequest) => void,
  refuse: (request: ModelRequest) => void,
): DataColumn<ModelRequest> => ({
  id: 'acts',
  header: t('acts'),
  width: 190,
  cell: (one) =>
    one.state === 'open' ? (
      <Group gap={6} wrap="nowrap">
        <Button size="compact-xs" variant="default" onClick={() => approve(one)}>
          {t('approve')}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => refuse(one)}>
          {t('refuse')}
        </Button>
      </Group>
    ) : null,
});

function RefuseDialog({
  request,
  onClose,
}: {
  readonly request: ModelRequest;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('data-model');
  const { clusterId } = useScope();
  const [reason, setReason] = useState('');
  const decide = useCallMutation(decideModelRequest, { stale: STALE, quiet: true });
  const submit = () =>
    decide.mutate(
      {
        params: { clusterId },
        input: { request_id: request.request_id, approve: false, reason: reason.trim() },
      },
      { onSuccess: onClose },
    );
  return (
    <FormDialog
      title={t('refuseTitle', { name: nameOf(request) })}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t('refuse')}
      isReady={reason.trim() !== ''}
      isBusy={decide.isPending}
      error={decide.error}
    >
      <Textarea
        label={t('reason')}
        description={t('reasonHelp', { name: request.asked_by })}
        required
        maxLength={1000}
        autosize
        minRows={2}
        value={reason}
        data-autofocus
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
