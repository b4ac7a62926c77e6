import { Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ApiToken, deleteApiToken, listApiTokens } from '@tyrian/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../../lib/format-number.ts';
import { useScope } from '../../../lib/session-store.ts';
import { useSettings } from '../../../lib/settings.ts';
import { useAddressParam } from '../../../lib/use-address.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import { SavedViews } from '../../../ui/saved-views.tsx';
import type { DataColumn } from '../../../ui/table-model.ts';
import { TypedSearch } from '../../../ui/typed-search.tsx';
import { askToDelete } from './ask-to-delete.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { tokenColumns } from './token-columns.tsx';

/** The tokens of the scope: what each may do, until when, and when it was last used. */
export function TokenListPage() {
  const { t } = useTranslation('tokens');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const [search, setSearch] = useAddressParam('q');
  const [isNewOpen, setNewOpen] = useState(false);
  const list = useQuery(callQuery(listApiTokens, { scope_id: scopeId }, { params: { clusterId } }));
  const columns = useTokenColumns();
  const rows = useMemo(() => list.data?.filter((token) => matches(token, search)), [list.data, search]);
  const count = list.data && formatInteger(list.data.length, locale);
  const add = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setNewOpen(true)}>
      {t('new.button')}
    </Button>
  );
  return (
    <PageLayout
      head={<PageHead icon={IconKey} title={t('title')} count={count} actions={add} />}
      filters={
        <>
          <TypedSearch value={search} onChange={setSearch} label={t('search')} />
          <SavedViews page="tokens" />
        </>
      }
    >
      <DataTable<ApiToken>
        label={t('title')}
        rows={rows}
        columns={columns}
        rowId={(token) => token.token_id}
        storageName="tokens"
        exported={{ entity: 'tokens', selection: {} }}
        failed={
          list.isLoadingError ? <ErrorPanel error={list.error} onRetry={() => void list.refetch()} /> : null
        }
        empty={search ? <NoMatch onClear={() => setSearch('')} /> : <NoToken>{add}</NoToken>}
      />
      {isNewOpen ? <NewTokenDialog onClose={() => setNewOpen(false)} /> : null}
    </PageLayout>
  );
}

/** The columns, of which the last takes a token away after a question. */
function useTokenColumns(): readonly DataColumn<ApiToken>[] {
  const { t } = useTranslation('tokens');
  const { clusterId, scopeId } = useScope();
  const remove = useCallMutation(deleteApiToken, { stale: [listApiTokens] });
  return tokenColumns(t, (token) =>
    askToDelete(t, token, () =>
      remove.mutate({ params: { clusterId }, input: { scope_id: scopeId, token_id: token.token_id } }),
    ),
  );
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  const { t } = useTranslation('tokens');
  return (
    <EmptyState kind="filtered-out" title={t('empty.filtered')}>
      <Button variant="default" onClick={onClear}>
        {t('empty.clear')}
      </Button>
    </EmptyState>
  );
}

function NoToken({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('tokens');
  return (
    <EmptyState kind="nothing-yet" title={t('empty.title')} text={t('empty.text')}>
      {children}
    </EmptyState>
  );
}

function matches(token: ApiToken, search: string): boolean {
  const text = `${token.app_name} ${token.description} ${token.prefix}`.toLowerCase();
  return text.includes(search.trim().toLowerCase());
}
