import { Button } from '@mantine/core';
import { IconBriefcase, IconPlus } from '@tabler/icons-react';
import type { Case } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddressLink } from '../../lib/use-address.ts';
import { useNow } from '../../lib/use-now.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SavedViews } from '../../ui/saved-views.tsx';
import { GlobalButton } from '../cross-tenant/public.ts';
import { NewCasesPill } from '../live/public.ts';
import { CaseBulkBar } from './case-bulk-bar.tsx';
import { useCasePath } from './case-link.tsx';
import { caseColumns } from './case-list-columns.tsx';
import { CaseFilters } from './case-list-filters.tsx';
import {
  type CaseListState,
  caseSelection,
  OPEN_WORK,
  readCaseListState,
  writeCaseListState,
} from './case-list-state.ts';
import { CaseStrip } from './case-list-strip.tsx';
import { useCaseList, useCaseListReload } from './case-queries.ts';
import { NewCaseDialog } from './new-case-dialog.tsx';

/** All cases of the scope: figures, filters in the address, one table, bulk actions. */
export function CaseListPage() {
  const { t } = useTranslation('cases');
  const navigate = useNavigate();
  const casePath = useCasePath();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isNewOpen, setNewOpen] = useState(false);
  const [state, change] = useAddressLink(LIST_STATE);
  const selection = useMemo(() => caseSelection(state), [state]);
  const list = useCaseList(selection);
  const columns = useColumns(list.dataUpdatedAt);
  const open = (one: Case) => void navigate(casePath(one.case_id));
  const add = () => setNewOpen(true);
  const chosen = (list.rows ?? []).filter((one) => selected.has(one.case_id));
  return (
    <PageLayout
      head={<Head list={list} selection={selection} onNew={add} />}
      filters={
        chosen.length > 0 ? (
          <CaseBulkBar chosen={chosen} onDone={() => setSelected(new Set())} />
        ) : (
          <>
            <CaseFilters state={state} onChange={change} />
            <SavedViews page="cases" />
          </>
        )
      }
    >
      <CaseStrip selection={selection} state={state} onChange={change} />
      <DataTable<Case>
        label={t('title')}
        rows={list.rows}
        columns={columns}
        rowId={(one) => one.case_id}
        storageName="cases"
        exported={{ entity: 'cases', selection: { ...selection, ...sortInput(state) } }}
        isRefetching={list.isPlaceholderData}
        sort={state.sort}
        onSort={(sort) => change({ sort: sort ?? { id: 'created', desc: true } })}
        selected={selected}
        onSelect={setSelected}
        onOpen={open}
        failed={
          list.isLoadingError ? <ErrorPanel error={list.error} onRetry={() => void list.refetch()} /> : null
        }
        empty={<Empty state={state} change={change} onNew={add} />}
      />
      {isNewOpen ? <NewCaseDialog onClose={() => setNewOpen(false)} onCreated={open} /> : null}
    </PageLayout>
  );
}

type Change = (next: Partial<CaseListState>) => void;

/** What is shown stands in the address. */
const LIST_STATE = { read: readCaseListState, write: writeCaseListState, isSmall: () => true };

/** Durations count on while the page is open, from no earlier than the rows were read. */
function useColumns(updatedAt: number) {
  const { t } = useTranslation('cases');
  const now = Math.max(useNow(), updatedAt);
  return useMemo(() => caseColumns(t, now), [t, now]);
}

const sortInput = ({ sort }: CaseListState) => ({
  sort_by: sort.id,
  sort_order: sort.desc ? 'desc' : 'asc',
});

interface HeadProps {
  readonly list: ReturnType<typeof useCaseList>;
  readonly selection: ReturnType<typeof caseSelection>;
  readonly onNew: () => void;
}

function Head({ list, selection, onNew }: HeadProps) {
  const { t } = useTranslation('cases');
  const { locale } = useSettings();
  const reload = useCaseListReload();
  return (
    <PageHead
      icon={IconBriefcase}
      title={t('title')}
      count={list.rows ? formatInteger(list.total, locale) : undefined}
      actions={
        <>
          <GlobalButton option="cases" />
          <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={onNew}>
            {t('new.button')}
          </Button>
        </>
      }
    >
      <NewCasesPill selection={selection} rows={list.rows} onLoad={() => void reload()} />
    </PageHead>
  );
}

interface EmptyProps {
  readonly state: CaseListState;
  readonly change: Change;
  readonly onNew: () => void;
}

function Empty({ state, change, onNew }: EmptyProps) {
  const { t } = useTranslation('cases');
  if (state.search !== '' || state.severities.length > 0 || state.handlers.length > 0) {
    const all = { search: '', severities: [], handlers: [], statuses: OPEN_WORK };
    return (
      <EmptyState kind="filtered-out" title={t('empty.filtered')}>
        <Button variant="default" onClick={() => change(all)}>
          {t('empty.clear')}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState kind="nothing-yet" title={t('empty.title')} text={t('empty.text')}>
      <Button variant="default" onClick={onNew}>
        {t('new.button')}
      </Button>
    </EmptyState>
  );
}
