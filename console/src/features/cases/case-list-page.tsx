import { Button } from '@mantine/core';
import { IconBriefcase, IconPlus } from '@tabler/icons-react';
import type { Case } from '@tyrian/contract';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
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
  const { locale } = useSettings();
  const navigate = useNavigate();
  const casePath = useCasePath();
  const [params, setParams] = useSearchParams();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isNewOpen, setNewOpen] = useState(false);
  const state = useMemo(() => readCaseListState(params), [params]);
  const selection = useMemo(() => caseSelection(state), [state]);
  const list = useCaseList(selection);
  const reload = useCaseListReload();
  const now = Math.max(useNow(), list.dataUpdatedAt);
  const columns = useMemo(() => caseColumns(t, now), [t, now]);
  const change = useCallback(
    (next: Partial<CaseListState>) => setParams(writeCaseListState({ ...state, ...next }), { replace: true }),
    [setParams, state],
  );
  const chosen = (list.rows ?? []).filter((one) => selected.has(one.case_id));
  const isFiltered = state.search !== '' || state.severities.length > 0 || state.handlers.length > 0;
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconBriefcase}
          title={t('title')}
          count={list.rows ? formatInteger(list.total, locale) : undefined}
          actions={
            <>
              <GlobalButton option="cases" />
              <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setNewOpen(true)}>
                {t('new.button')}
              </Button>
            </>
          }
        >
          <NewCasesPill selection={selection} rows={list.rows} onLoad={() => void reload()} />
        </PageHead>
      }
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
        exported={{
          entity: 'cases',
          selection: {
            ...selection,
            sort_by: state.sort.id,
            sort_order: state.sort.desc ? 'desc' : 'asc',
          },
        }}
        isRefetching={list.isPlaceholderData}
        sort={state.sort}
        onSort={(sort) => change({ sort: sort ?? { id: 'created', desc: true } })}
        selected={selected}
        onSelect={setSelected}
        onOpen={(one) => void navigate(casePath(one.case_id))}
        failed={
          list.isLoadingError ? <ErrorPanel error={list.error} onRetry={() => void list.refetch()} /> : null
        }
        empty={
          isFiltered ? (
            <EmptyState kind="filtered-out" title={t('empty.filtered')}>
              <Button
                variant="default"
                onClick={() => change({ search: '', severities: [], handlers: [], statuses: OPEN_WORK })}
              >
                {t('empty.clear')}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState kind="nothing-yet" title={t('empty.title')} text={t('empty.text')}>
              <Button variant="default" onClick={() => setNewOpen(true)}>
                {t('new.button')}
              </Button>
            </EmptyState>
          )
        }
      />
      {isNewOpen ? (
        <NewCaseDialog
          onClose={() => setNewOpen(false)}
          onCreated={(one) => void navigate(casePath(one.case_id))}
        />
      ) : null}
    </PageLayout>
  );
}
