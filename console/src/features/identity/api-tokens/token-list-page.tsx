import { Badge, Button } from '@mantine/core';
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ApiToken, deleteApiToken, listApiTokens } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { formatInteger } from '../../../lib/format-number.ts';
import { useScope } from '../../../lib/session-store.ts';
import { useSettings } from '../../../lib/settings.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import { SavedViews } from '../../../ui/saved-views.tsx';
import type { DataColumn } from '../../../ui/table-model.ts';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { TypedSearch } from '../../../ui/typed-search.tsx';
import { askToDelete } from './ask-to-delete.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';
import classes from './token-list-page.module.css';

/** The tokens of the scope: what each may do, until when, and when it was last used. */
export function TokenListPage() {
  const { t } = useTranslation('tokens');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const [params, setParams] = useSearchParams();
  const [isNewOpen, setNewOpen] = useState(false);
  const search = params.get('q') ?? '';
  const list = useQuery(callQuery(listApiTokens, { scope_id: scopeId }, { params: { clusterId } }));
  const remove = useCallMutation(deleteApiToken, { stale: [listApiTokens] });
  const columns = useColumns((token) =>
    askToDelete(t, token, () =>
      remove.mutate({ params: { clusterId }, input: { scope_id: scopeId, token_id: token.token_id } }),
    ),
  );
  const rows = useMemo(() => list.data?.filter((token) => matches(token, search)), [list.data, search]);
  const add = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setNewOpen(true)}>
      {t('new.button')}
    </Button>
  );
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconKey}
          title={t('title')}
          count={list.data && formatInteger(list.data.length, locale)}
          actions={add}
        />
      }
      filters={
        <>
          <TypedSearch
            value={search}
            onChange={(q) => setParams(q ? { q } : {}, { replace: true })}
            label={t('search')}
          />
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
        empty={
          search ? (
            <EmptyState kind="filtered-out" title={t('empty.filtered')}>
              <Button variant="default" onClick={() => setParams({}, { replace: true })}>
                {t('empty.clear')}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState kind="nothing-yet" title={t('empty.title')} text={t('empty.text')}>
              {add}
            </EmptyState>
          )
        }
      />
      {isNewOpen ? <NewTokenDialog onClose={() => setNewOpen(false)} /> : null}
    </PageLayout>
  );
}

function matches(token: ApiToken, search: string): boolean {
  const text = `${token.app_name} ${token.description} ${token.prefix}`.toLowerCase();
  return text.includes(search.trim().toLowerCase());
}

function useColumns(onDelete: (token: ApiToken) => void): readonly DataColumn<ApiToken>[] {
  const { t } = useTranslation('tokens');
  const time = (stamp: number | null) => (stamp === null ? '–' : <TimeStamp time={stamp} form="seconds" />);
  return [
    { id: 'app', header: t('column.app'), value: (token) => token.app_name, width: 180 },
    {
      id: 'description',
      header: t('column.description'),
      value: (token) => token.description,
      width: 140,
      grows: true,
    },
    {
      id: 'capabilities',
      header: t('column.capabilities'),
      value: (token) => token.capabilities.join(' '),
      width: 220,
      cell: (token) => (
        <span className={classes.chips}>
          {token.capabilities.map((one) => (
            <Badge key={one} variant="default" size="sm" tt="none" fw={400}>
              {t(`capability.${one.replace('.', '_')}`)}
            </Badge>
          ))}
        </span>
      ),
    },
    {
      id: 'prefix',
      header: t('column.prefix'),
      value: (token) => token.prefix,
      width: 140,
      cell: (token) => <code className={classes.prefix}>{token.prefix}…</code>,
    },
    {
      id: 'expires',
      header: t('column.expires'),
      value: (token) => token.expires,
      width: 160,
      cell: (token) =>
        token.expires !== null && token.expires < Date.now() ? t('expired') : time(token.expires),
    },
    {
      id: 'used',
      header: t('column.used'),
      value: (token) => token.last_used,
      width: 160,
      cell: (token) => time(token.last_used),
    },
    {
      id: 'address',
      header: t('column.address'),
      value: (token) => token.last_address,
      width: 120,
      isHidden: true,
    },
    { id: 'by', header: t('column.by'), value: (token) => token.created_by, width: 120 },
    {
      id: 'created',
      header: t('column.created'),
      value: (token) => token.created,
      width: 160,
      cell: (token) => time(token.created),
    },
    {
      id: 'actions',
      header: t('column.actions'),
      width: 60,
      cell: (token) => (
        <IconButton
          label={t('delete.label', { name: token.app_name })}
          size={24}
          onClick={() => onDelete(token)}
        >
          <IconTrash size={14} />
        </IconButton>
      ),
    },
  ];
}
