import { Button, Select, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  type DropRule,
  listCollection,
  listDropRules,
  listStreams,
  removeDropRule,
  saveDropRule,
} from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ListPanel } from '../../ui/list-frame.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { ImpactReport, useImpact } from './impact-report.tsx';

/** What is not stored in the scope, and why. */
export function DropRuleList() {
  const { t } = useTranslation('streams');
  const { clusterId, scopeId } = useScope();
  const [query, setQuery] = useAddressParam('rule');
  const [isNew, setNew] = useState(false);
  const extras = { params: { clusterId }, quiet: true, keep: true };
  const list = useQuery(callQuery(listDropRules, { scope_id: scopeId }, extras));
  const columns = useDropColumns();
  const text = query.trim().toLowerCase();
  const rows = list.data?.filter((one) =>
    [one.stream, one.source ?? '', one.reason].some((word) => word.toLowerCase().includes(text)),
  );
  return (
    <>
      <ListPanel
        title={t('drops.tab')}
        name="drop-rules"
        list={{
          data: rows && { data: rows, total_count: rows.length },
          isPlaceholderData: list.isPlaceholderData,
          isLoadingError: list.isLoadingError,
          error: list.error,
          refetch: () => list.refetch(),
        }}
        columns={columns}
        rowId={(one) => one.rule_id}
        query={query}
        onQuery={setQuery}
        searchLabel={t('drops.search')}
        emptyTitle={t('drops.none')}
        emptyText={t('drops.noneText')}
        noMatch={t('drops.noMatch')}
        actions={
          <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setNew(true)}>
            {t('drops.add')}
          </Button>
        }
      />
      {isNew && <DropDialog onClose={() => setNew(false)} />}
    </>
  );
}

function useDropColumns(): readonly DataColumn<DropRule>[] {
  const { t } = useTranslation('streams');
  return useMemo(
    () => [
      { id: 'stream', header: t('columns.stream'), width: 180, value: (one) => one.stream },
      {
        id: 'source',
        header: t('drops.source'),
        width: 200,
        value: (one) => one.source ?? '',
        cell: (one) => one.source ?? t('drops.everySource'),
      },
      { id: 'reason', header: t('drops.reason'), width: 260, grows: true, value: (one) => one.reason },
      { id: 'by', header: t('drops.by'), width: 150, value: (one) => one.created_by },
      {
        id: 'created',
        header: t('drops.since'),
        width: 165,
        value: (one) => one.created,
        cell: (one) => <TimeStamp time={one.created} form="seconds" />,
      },
      { id: 'remove', header: t('drops.remove'), width: 110, cell: (one) => <StoreAgain rule={one} /> },
    ],
    [t],
  );
}

function StoreAgain({ rule }: { readonly rule: DropRule }) {
  const { t } = useTranslation('streams');
  const { clusterId, scopeId } = useScope();
  const remove = useCallMutation(removeDropRule, { stale: [listDropRules] });
  const onConfirm = () =>
    remove.mutate(
      { params: { clusterId }, input: { scope_id: scopeId, rule_id: rule.rule_id } },
      { onSuccess: () => notify('done', t('drops.removed', { stream: rule.stream })) },
    );
  const question = {
    title: t('drops.removeTitle', { stream: rule.stream }),
    consequence: t('drops.removeText'),
  };
  return (
    <IconButton
      label={t('drops.remove')}
      size={24}
      onClick={(event) => {
        event.stopPropagation();
        askToConfirm({ ...question, confirmLabel: t('drops.remove'), isHarmless: true, onConfirm });
      }}
    >
      <IconTrash size={14} />
    </IconButton>
  );
}

interface Draft {
  readonly stream: string | null;
  readonly source: string | null;
  readonly reason: string;
}

/** Which stream of which source is not stored any more, and what that would blind. */
function DropDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('streams');
  const { clusterId, scopeId } = useScope();
  const [draft, setDraft] = useState<Draft>({ stream: null, source: null, reason: '' });
  const { stream, source, reason } = draft;
  const save = useCallMutation(saveDropRule, { stale: [listDropRules], quiet: true });
  const onSubmit = () => {
    const from = source === null ? {} : { source_id: source };
    const input = { scope_id: scopeId, stream: stream ?? '', reason, ...from };
    const onSuccess = () => {
      notify('done', t('drops.added', { stream: stream ?? '' }));
      onClose();
    };
    save.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  return (
    <FormDialog
      title={t('drops.title')}
      submitLabel={t('drops.save')}
      isReady={stream !== null && reason.trim() !== ''}
      isBusy={save.isPending}
      isDanger
      error={save.error}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <DropFields draft={draft} onChange={(part) => setDraft((old) => ({ ...old, ...part }))} />
      {stream !== null && <DropImpact stream={stream} source={source} />}
    </FormDialog>
  );
}

interface DropFieldsProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

function DropFields({ draft, onChange }: DropFieldsProps) {
  const { t } = useTranslation('streams');
  const { streams, sources } = useChoices();
  return (
    <>
      <Select
        label={t('columns.stream')}
        searchable
        required
        value={draft.stream}
        onChange={(stream) => onChange({ stream })}
        data={streams}
      />
      <Select
        label={t('drops.source')}
        placeholder={t('drops.everySource')}
        searchable
        clearable
        value={draft.source}
        onChange={(source) => onChange({ source })}
        data={sources}
      />
      <TextInput
        label={t('drops.reason')}
        required
        maxLength={500}
        value={draft.reason}
        onChange={(event) => onChange({ reason: event.currentTarget.value })}
      />
    </>
  );
}

function DropImpact({ stream, source }: { readonly stream: string; readonly source: string | null }) {
  const impact = useImpact({ kind: 'drop', stream, ...(source === null ? {} : { source_id: source }) });
  return <ImpactReport impact={impact} />;
}

function useChoices() {
  const { clusterId, scopeId } = useScope();
  const extras = { params: { clusterId }, quiet: true };
  const streams = useQuery(callQuery(listStreams, { scope_id: scopeId, search_type: 'historic' }, extras));
  const sources = useQuery(callQuery(listCollection, { scope_id: scopeId }, extras));
  return {
    streams: (streams.data?.streams ?? []).map(({ stream }) => stream),
    sources: (sources.data?.data ?? []).flatMap(({ source_id: value, source: label }) =>
      value === null ? [] : [{ value, label }],
    ),
  };
}
