import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listRuleHealth, listTuning, resolveTuning, type TuningRequest } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListPanel } from '../../ui/list-frame.tsx';
import { useTuningColumns } from './use-tuning-columns.tsx';

const SHOWN = 500;
const STATES = ['open', 'resolved', 'all'] as const;

/** Requests to tune rules: who asks what, and what was done. */
export function TuningList() {
  const { t } = useTranslation('rule-health');
  const { clusterId, scopeId } = useScope();
  const [query, setQuery] = useAddressParam('find');
  const [rule, setRule] = useAddressParam('rule');
  const [stateName, setState] = useAddressParam('requests');
  const [closing, setClosing] = useState<TuningRequest | null>(null);
  const state = STATES.find((one) => one === stateName) ?? 'open';
  const all = useQuery(
    callQuery(
      listTuning,
      { scope_id: scopeId, state, pagesize: SHOWN, ...(rule ? { ID: rule } : {}) },
      { params: { clusterId }, quiet: true, keep: true, every: 30_000 },
    ),
  );
  const columns = useTuningColumns(setClosing);
  const text = query.trim().toLowerCase();
  const rows = all.data?.data.filter((one) =>
    [one.rule_name, one.comment, one.asked_by, one.resolution].join(' ').toLowerCase().includes(text),
  );
  const total = text === '' ? (all.data?.total_count ?? 0) : (rows?.length ?? 0);
  return (
    <>
      <ListPanel
        title={t('tuning.tab')}
        name="rule-tuning"
        list={{
          data: rows && { data: rows, total_count: total },
          isPlaceholderData: all.isPlaceholderData,
          isLoadingError: all.isLoadingError,
          error: all.error,
          refetch: () => all.refetch(),
        }}
        columns={columns}
        rowId={(one) => one.request_id}
        query={query}
        onQuery={setQuery}
        isFiltered={rule !== '' || state === 'resolved'}
        searchLabel={t('tuning.search')}
        emptyTitle={t('tuning.none')}
        emptyText={t('tuning.noneText')}
        noMatch={t('tuning.noMatch')}
        actions={<Filters state={state} onState={setState} rule={rule} onAllRules={() => setRule('')} />}
      />
      {closing && <ResolveDialog request={closing} onClose={() => setClosing(null)} />}
    </>
  );
}

interface FiltersProps {
  readonly state: (typeof STATES)[number];
  readonly onState: (state: string) => void;
  /** Of one rule; empty: of all. */
  readonly rule: string;
  readonly onAllRules: () => void;
}

function Filters({ state, onState, rule, onAllRules }: FiltersProps) {
  const { t } = useTranslation('rule-health');
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t('columns.state')}
        value={state}
        onChange={(next) => onState(next === 'open' ? '' : next)}
        data={STATES.map((value) => ({ value, label: t(`tuning.states.${value}`) }))}
      />
      {rule !== '' && (
        <Button size="compact-sm" variant="default" onClick={onAllRules}>
          {t('tuning.allRules')}
        </Button>
      )}
    </>
  );
}

function ResolveDialog({
  request,
  onClose,
}: {
  readonly request: TuningRequest;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('rule-health');
  const { clusterId, scopeId } = useScope();
  const [resolution, setResolution] = useState('');
  const resolve = useCallMutation(resolveTuning, { stale: [listTuning, listRuleHealth], quiet: true });
  const submit = () => {
    const input = { scope_id: scopeId, request_id: request.request_id, resolution: resolution.trim() };
    const onSuccess = () => {
      notify('done', t('tuning.resolved'));
      onClose();
    };
    resolve.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  return (
    <FormDialog
      title={t('tuning.resolveTitle', { rule: request.rule_name })}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t('tuning.resolve')}
      isReady={resolution.trim() !== ''}
      isBusy={resolve.isPending}
      error={resolve.error}
    >
      <Textarea
        label={t('tuning.resolution')}
        description={request.comment}
        required
        autosize
        minRows={3}
        maxLength={1000}
        data-autofocus
        value={resolution}
        onChange={(event) => setResolution(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
