import { Anchor, Button, SegmentedControl, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  isPackRuleId,
  listRuleHealth,
  listTuning,
  resolveTuning,
  type TuningRequest,
} from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { notify } from '../../lib/notify.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { signalPath } from '../../lib/signal-path.ts';
import { useAddressParam } from '../../lib/use-address-param.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListPanel } from '../../ui/list-frame.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { rulePath } from './rule-health-words.ts';

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
        actions={
          <>
            <SegmentedControl
              size="xs"
              aria-label={t('columns.state')}
              value={state}
              onChange={(next) => setState(next === 'open' ? '' : next)}
              data={STATES.map((value) => ({ value, label: t(`tuning.states.${value}`) }))}
            />
            {rule !== '' && (
              <Button size="compact-sm" variant="default" onClick={() => setRule('')}>
                {t('tuning.allRules')}
              </Button>
            )}
          </>
        }
      />
      {closing && <ResolveDialog request={closing} onClose={() => setClosing(null)} />}
    </>
  );
}

function useTuningColumns(onClose: (request: TuningRequest) => void): readonly DataColumn<TuningRequest>[] {
  const { t } = useTranslation('rule-health');
  const scope = useScope();
  const { tags } = useSignedIn();
  const isEngineer = tags.includes('engineer');
  return useMemo(
    () => [
      {
        id: 'rule',
        header: t('columns.name'),
        width: 240,
        value: (one) => one.rule_name,
        cell: ({ ID, rule_name }) => (
          <Anchor
            component={Link}
            size="sm"
            to={rulePath(scope, { ID, kind: isPackRuleId(ID) ? 'pack' : 'workbook' })}
          >
            {rule_name}
          </Anchor>
        ),
      },
      {
        id: 'comment',
        header: t('tuning.comment'),
        width: 340,
        grows: true,
        value: (one) => one.comment,
        cell: (one) => <span title={one.comment}>{one.comment}</span>,
      },
      {
        id: 'signal',
        header: t('tuning.signal'),
        width: 120,
        cell: ({ signal_id }) =>
          signal_id === null ? (
            '–'
          ) : (
            <Anchor component={Link} size="sm" to={signalPath(scope, signal_id)}>
              {t('tuning.openSignal')}
            </Anchor>
          ),
      },
      { id: 'by', header: t('tuning.by'), width: 150, value: (one) => one.asked_by },
      {
        id: 'asked',
        header: t('tuning.when'),
        width: 165,
        value: (one) => one.asked,
        cell: (one) => <TimeStamp time={one.asked} form="seconds" />,
      },
      {
        id: 'resolution',
        header: t('tuning.resolution'),
        width: 280,
        value: (one) => one.resolution,
        cell: (one) => {
          if (one.resolved !== null)
            return <span title={one.resolution}>{`${one.resolved_by ?? ''}: ${one.resolution}`}</span>;
          if (!isEngineer) return t('tuning.states.open');
          return (
            <Button size="compact-xs" variant="default" onClick={() => onClose(one)}>
              {t('tuning.resolve')}
            </Button>
          );
        },
      },
    ],
    [t, scope, isEngineer, onClose],
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
