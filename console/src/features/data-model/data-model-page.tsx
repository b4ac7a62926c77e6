import { SegmentedControl } from '@mantine/core';
import { IconSchema } from '@tabler/icons-react';
import { type Column, EVENT_COLUMNS, STREAMS, type Stream } from '@tyrian/catalog';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { catalogText, type Described } from '../../lib/catalog-text.ts';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SavedViews } from '../../ui/saved-views.tsx';
import type { DataColumn } from '../../ui/table-model.ts';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { aliasText, matchesColumn, matchesStream } from './search-model.ts';

/** The normalised schema: streams, and the typed columns that they have in common. Read-only. */
export function DataModelPage() {
  const { t } = useTranslation('data-model');
  const { locale } = useSettings();
  const [params, setParams] = useSearchParams();
  const query = params.get('q') ?? '';
  const part = params.get('part') === 'streams' ? 'streams' : 'columns';
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    setParams(next, { replace: true });
  };
  const { columns, streams } = useModel(query);
  const shown = part === 'columns' ? columns.length : streams.length;
  const all = part === 'columns' ? EVENT_COLUMNS.length : STREAMS.length;
  const empty = <EmptyState kind="filtered-out" title={t('noMatch')} />;
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconSchema}
          title={t('title')}
          count={shown === all ? formatInteger(all, locale) : t('of', { shown, all })}
        />
      }
      filters={
        <>
          <SegmentedControl
            aria-label={t('part')}
            value={part}
            onChange={(next) => set('part', next === 'columns' ? '' : next)}
            data={[
              { value: 'columns', label: t('columns') },
              { value: 'streams', label: t('streams') },
            ]}
          />
          <TypedSearch value={query} onChange={(text) => set('q', text)} label={t('search')} width={320} />
          <SavedViews page="data-model" isOfPlatform />
        </>
      }
    >
      {part === 'columns' ? (
        <ColumnTable rows={columns} empty={empty} />
      ) : (
        <StreamTable rows={streams} empty={empty} />
      )}
    </PageLayout>
  );
}

/** The columns and streams that a search finds, described in the language of the console. */
function useModel(query: string) {
  const { language } = useTranslation().i18n;
  const model = useMemo(() => {
    const describe = <T extends Described>(part: 'columns' | 'streams', all: readonly T[]): T[] =>
      all.map((one) => ({ ...one, description: catalogText(language, part, one) }));
    return { columns: describe('columns', EVENT_COLUMNS), streams: describe<Stream>('streams', STREAMS) };
  }, [language]);
  return useMemo(
    () => ({
      columns: model.columns.filter((one) => matchesColumn(one, query)),
      streams: model.streams.filter((one) => matchesStream(one, query)),
    }),
    [model, query],
  );
}

interface TableProps<T> {
  readonly rows: readonly T[];
  readonly empty: ReactNode;
}

function ColumnTable({ rows, empty }: TableProps<Column>) {
  const { t } = useTranslation('data-model');
  const columns = useMemo(
    (): readonly DataColumn<Column>[] => [
      {
        id: 'name',
        header: t('name'),
        width: 210,
        value: (one) => one.name,
        cell: (one) => <span className="mono">{one.name}</span>,
      },
      { id: 'type', header: t('type'), width: 90, value: (one) => one.type },
      {
        id: 'description',
        header: t('description'),
        width: 300,
        grows: true,
        value: (one) => one.description,
      },
      ...(['ecs', 'ocsf', 'cim', 'sigma'] as const).map((vocabulary) => ({
        id: vocabulary,
        header: vocabulary === 'sigma' ? 'Sigma' : vocabulary.toUpperCase(),
        width: 180,
        value: (one: Column) => aliasText(one, vocabulary),
        cell: (one: Column) => <span className="mono">{aliasText(one, vocabulary)}</span>,
      })),
    ],
    [t],
  );
  return (
    <DataTable
      label={t('columns')}
      rows={rows}
      columns={columns}
      rowId={(one) => one.name}
      storageName="dataModelColumns"
      empty={empty}
    />
  );
}

function StreamTable({ rows, empty }: TableProps<Stream>) {
  const { t } = useTranslation('data-model');
  const columns = useMemo(
    (): readonly DataColumn<Stream>[] => [
      {
        id: 'name',
        header: t('name'),
        width: 210,
        value: (one) => one.name,
        cell: (one) => <span className="mono">{one.name}</span>,
      },
      { id: 'description', header: t('description'), width: 640, value: (one) => one.description },
    ],
    [t],
  );
  return (
    <DataTable
      label={t('streams')}
      rows={rows}
      columns={columns}
      rowId={(one) => one.name}
      storageName="dataModelStreams"
      empty={empty}
    />
  );
}
