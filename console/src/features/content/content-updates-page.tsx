import { SegmentedControl, Select } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import {
  type ContentUpdate,
  listContentUpdates,
  type OutputOf,
  SHIPPED_POLICIES,
  type ShippedPolicy,
  saveUpdatePolicy,
  UPDATE_KINDS,
  UPDATE_STATES,
} from '@tyrian/contract';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CallError, call } from '../../lib/call.ts';
import { formatInteger } from '../../lib/format-number.ts';
import { notify } from '../../lib/notify.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressParam } from '../../lib/use-address.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm, ConfirmButton } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import styles from './content.module.css';
import { kindOf } from './content-links.ts';
import { UpdateDialog } from './update-dialog.tsx';
import { STALE, useDecide } from './use-decide.ts';
import { useUpdateColumns } from './use-update-columns.tsx';

/** Rows of one answer; the list grows by so many when its end is reached. */
const PAGE = 200;

type UpdatePage = OutputOf<typeof listContentUpdates>;

function useUpdates(kind: ContentUpdate['kind'] | undefined, state: ContentUpdate['state']) {
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, state, pagesize: PAGE, ...(kind ? { kind } : {}) };
  return useInfiniteQuery<UpdatePage, CallError, { pages: UpdatePage[] }, unknown[], number>({
    queryKey: [listContentUpdates.name, clusterId, input],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(listContentUpdates, { params: { clusterId }, input: { ...input, pageno: pageParam }, signal }),
    getNextPageParam: (last, all) => (all.length * PAGE < last.total_count ? all.length + 1 : undefined),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
}

/** What is newer than what the tenant runs: each compared, taken or declined by itself, or all together. */
export function ContentUpdatesPage() {
  const { tags } = useSignedIn();
  const [kindText, setKind] = useAddressParam('kind');
  const [stateText, setState] = useAddressParam('state');
  const [openId, setOpen] = useAddressParam('update');
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const kind = kindOf(kindText);
  const state = stateText === 'declined' ? 'declined' : 'open';
  const list = useUpdates(kind, state);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.data), [list.data]);
  const total = list.data?.pages[0]?.total_count;
  const isEngineer = tags.includes('engineer');
  const clear = () => setSelected(new Set());
  const change = (set: (value: string) => void) => (value: string | null) => {
    clear();
    set(value ?? '');
  };
  return (
    <PageLayout
      head={
        <Head
          total={total}
          policy={isEngineer && list.data ? (list.data.pages[0]?.policy ?? 'review') : undefined}
        />
      }
      filters={<Filters state={state} kind={kind} onState={change(setState)} onKind={change(setKind)} />}
    >
      <div className={styles.list}>
        {isEngineer && total !== undefined && total > 0 && (
          <DecideBar total={total} kind={kind} isOpen={state === 'open'} selected={selected} onDone={clear} />
        )}
        <UpdateTable
          list={list}
          rows={rows}
          state={state}
          onOpen={setOpen}
          {...(isEngineer ? { selected, onSelect: setSelected } : {})}
        />
      </div>
      {openId && (
        <UpdateDialog
          updateId={openId}
          ids={(rows ?? []).map(({ update_id }) => update_id)}
          mayDecide={isEngineer}
          onShow={setOpen}
        />
      )}
    </PageLayout>
  );
}

interface HeadProps {
  readonly total: number | undefined;
  /** For those who may change it. */
  readonly policy: ShippedPolicy | undefined;
}

function Head({ total, policy }: HeadProps) {
  const { t } = useTranslation('content');
  const { locale } = useSettings();
  return (
    <PageHead
      icon={IconRefresh}
      title={t('title')}
      {...(total === undefined ? {} : { count: formatInteger(total, locale) })}
      actions={policy && <Policy shipped={policy} />}
    />
  );
}

interface FiltersProps {
  readonly state: ContentUpdate['state'];
  readonly kind: ContentUpdate['kind'] | undefined;
  readonly onState: (value: string) => void;
  readonly onKind: (value: string | null) => void;
}

function Filters({ state, kind, onState, onKind }: FiltersProps) {
  const { t } = useTranslation('content');
  return (
    <>
      <SegmentedControl
        aria-label={t('columns.state')}
        size="xs"
        data={UPDATE_STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
        value={state}
        onChange={(value) => onState(value === 'open' ? '' : value)}
      />
      <Select
        aria-label={t('columns.kind')}
        placeholder={t('columns.kind')}
        data={UPDATE_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        value={kind ?? null}
        onChange={onKind}
        clearable
        clearButtonProps={{ 'aria-label': t('allKinds') }}
        w={220}
      />
    </>
  );
}

interface UpdateTableProps {
  readonly list: ReturnType<typeof useUpdates>;
  readonly rows: readonly ContentUpdate[] | undefined;
  readonly state: ContentUpdate['state'];
  readonly onOpen: (updateId: string) => void;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
}

function UpdateTable({ list, rows, state, onOpen, selected, onSelect }: UpdateTableProps) {
  const { t } = useTranslation('content');
  const open = useCallback((update: ContentUpdate) => onOpen(update.update_id), [onOpen]);
  const columns = useUpdateColumns(open);
  return (
    <DataTable
      label={t('title')}
      rows={rows}
      columns={columns}
      rowId={(update) => update.update_id}
      isRefetching={list.isPlaceholderData}
      {...(selected && onSelect ? { selected, onSelect } : {})}
      onOpen={open}
      onReachEnd={() => {
        if (list.hasNextPage && !list.isFetching) void list.fetchNextPage();
      }}
      storageName="updates"
      failed={
        list.isError && !rows ? (
          <ErrorPanel title={t('failed')} error={list.error} onRetry={() => void list.refetch()} />
        ) : undefined
      }
      empty={
        <EmptyState
          kind="nothing-yet"
          title={t(state === 'open' ? 'none' : 'noneDeclined')}
          text={t(state === 'open' ? 'noneText' : 'noneDeclinedText')}
        />
      }
    />
  );
}

interface DecideBarProps {
  readonly total: number;
  readonly kind: ContentUpdate['kind'] | undefined;
  readonly isOpen: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onDone: () => void;
}

/** Decides about the selected updates, or about all that are open. */
function DecideBar({ total, kind, isOpen, selected, onDone }: DecideBarProps) {
  const { t } = useTranslation('content');
  const { locale } = useSettings();
  const { decide, isPending } = useDecide();
  const isSome = selected.size > 0;
  const number = formatInteger(isSome ? selected.size : total, locale);
  // All declined ones together are nobody's wish.
  if (!isSome && !isOpen) return null;
  const act = (take: boolean) => decide(isSome ? [...selected] : { kind }, take, onDone);
  const button = { size: 'xs', variant: 'default', loading: isPending } as const;
  const of = { count: isSome ? selected.size : total, number };
  return (
    <div className={styles.bar}>
      <span>{t(isSome ? 'selected' : 'all', of)}</span>
      <ConfirmButton
        {...button}
        title={t('askTake', of)}
        consequence={t('askTakeText')}
        confirmLabel={t('take')}
        isHarmless
        onConfirm={() => act(true)}
      >
        {t('take')}
      </ConfirmButton>
      {isOpen && (
        <ConfirmButton
          {...button}
          title={t('askDecline', of)}
          consequence={t('askDeclineText')}
          confirmLabel={t('decline')}
          isHarmless
          onConfirm={() => act(false)}
        >
          {t('decline')}
        </ConfirmButton>
      )}
    </div>
  );
}

/** What newer shipped detections do: wait, or replace the older ones at once. */
function Policy({ shipped }: { readonly shipped: ShippedPolicy }) {
  const { t } = useTranslation('content');
  const { clusterId, scopeId } = useScope();
  const { mutate, isPending } = useCallMutation(saveUpdatePolicy, { stale: STALE });
  const save = (next: ShippedPolicy) =>
    mutate(
      { params: { clusterId }, input: { scope_id: scopeId, shipped: next } },
      { onSuccess: () => notify('done', t('policySaved')) },
    );
  const choose = (value: string | null) => {
    const next = SHIPPED_POLICIES.find((policy) => policy === value);
    if (!next || next === shipped) return;
    if (next === 'review') save(next);
    else
      askToConfirm({
        title: t('askAtOnce'),
        consequence: t('askAtOnceText'),
        confirmLabel: t('policy.at-once'),
        onConfirm: () => save(next),
      });
  };
  return (
    <Select
      aria-label={t('policyLabel')}
      data={SHIPPED_POLICIES.map((value) => ({ value, label: t(`policy.${value}`) }))}
      value={shipped}
      onChange={choose}
      allowDeselect={false}
      disabled={isPending}
      w={300}
    />
  );
}
