import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus, IconSchema } from '@tabler/icons-react';
import { type Column, EVENT_COLUMNS, STREAMS } from '@tyrian/catalog';
import type { ModelField, ModelStream } from '@tyrian/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogText } from '../../lib/catalog-text.ts';
import { formatInteger } from '../../lib/format-number.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useAddress, withParams } from '../../lib/use-address.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SavedViews } from '../../ui/saved-views.tsx';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { ColumnTable } from './column-table.tsx';
import { FieldTable } from './field-table.tsx';
import { FieldDialog, type FieldDraft, StreamDialog, type StreamDraft } from './model-dialogs.tsx';
import { RequestList } from './request-list.tsx';
import { matchesColumn, matchesField, matchesStream } from './search-model.ts';
import { StreamTable } from './stream-table.tsx';
import { useDataModel } from './use-data-model.ts';

const PARTS = ['columns', 'streams', 'fields', 'requests'] as const;
type Part = (typeof PARTS)[number];

const NEW_STREAM: StreamDraft = { name: '', description: '', is_new: true };

/** The data model of the tenant: columns that all events have, streams, fields of streams, and what was asked for. */
export function DataModelPage() {
  const { t } = useTranslation('data-model');
  const { locale } = useSettings();
  const { tags } = useSignedIn();
  const mayChange = tags.includes('content-manager');
  const [params, changeAddress] = useAddress();
  const query = params.get('q') ?? '';
  const part = PARTS.find((one) => one === (params.get('tab') ?? params.get('part'))) ?? 'columns';
  const set = (name: string, value: string) =>
    changeAddress((now) => withParams(now, { tab: '', [name]: value }), { replace: true });
  const [draft, setDraft] = useState<StreamDraft | null>(null);
  const model = useModel(query);
  const { shown, all } = countsOf(part, model);
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconSchema}
          title={t('title')}
          {...(all === null
            ? {}
            : { count: shown === all ? formatInteger(all, locale) : t('of', { shown, all }) })}
          actions={mayChange ? <AddStream onClick={() => setDraft(NEW_STREAM)} /> : null}
        />
      }
      filters={
        <>
          <SegmentedControl
            aria-label={t('part')}
            value={part}
            onChange={(next) => set('part', next === 'columns' ? '' : next)}
            data={PARTS.map((value) => ({ value, label: partLabel(t, value, model.open) }))}
          />
          <TypedSearch value={query} onChange={(text) => set('q', text)} label={t('search')} width={320} />
          <SavedViews page="data-model" isOfPlatform />
        </>
      }
    >
      <Parts part={part} model={model} query={query} mayChange={mayChange} onStream={setDraft} />
      {draft && <StreamDialog draft={draft} onClose={() => setDraft(null)} />}
    </PageLayout>
  );
}

function AddStream({ onClick }: { readonly onClick: () => void }) {
  const { t } = useTranslation('data-model');
  return (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={onClick}>
      {t('addStream')}
    </Button>
  );
}

type T = ReturnType<typeof useTranslation<'data-model'>>['t'];

const partLabel = (t: T, part: Part, open: number): string =>
  part === 'requests' && open > 0 ? t('requestsOpen', { count: open }) : t(part);

interface PartsProps {
  readonly part: Part;
  readonly model: ReturnType<typeof useModel>;
  readonly query: string;
  readonly mayChange: boolean;
  readonly onStream: (draft: StreamDraft) => void;
}

function Parts({ part, model, query, mayChange, onStream }: PartsProps) {
  const { t } = useTranslation('data-model');
  const [field, setField] = useState<FieldDraft | null>(null);
  const noMatch = <EmptyState kind="filtered-out" title={t('noMatch')} />;
  if (part === 'columns') return <ColumnTable rows={model.columns} empty={noMatch} />;
  if (part === 'requests') return <RequestList mayDecide={mayChange} search={query} />;
  if (part === 'streams')
    return (
      <StreamTable
        rows={model.streams}
        empty={noMatch}
        mayChange={mayChange}
        onEdit={({ name, description }) => onStream({ name, description, is_new: false })}
      />
    );
  const nothing: ReactNode =
    query === '' ? <EmptyState kind="nothing-yet" title={t('noFields')} text={t('noFieldsText')} /> : noMatch;
  return (
    <>
      <FieldTable
        rows={model.fields}
        empty={nothing}
        mayChange={mayChange}
        onEdit={(one: ModelField) => setField({ ...one, is_new: false })}
      />
      {field && <FieldDialog draft={field} onClose={() => setField(null)} />}
    </>
  );
}

function countsOf(part: Part, model: ReturnType<typeof useModel>) {
  if (part === 'columns') return { shown: model.columns.length, all: EVENT_COLUMNS.length };
  if (part === 'streams') return { shown: model.streams.length, all: model.allStreams };
  if (part === 'fields') return { shown: model.fields.length, all: model.allFields };
  return { shown: 0, all: null };
}

/** What a search finds, described in the language of the console. Until the tenant's own are known the rest is there. */
function useModel(query: string) {
  const { language } = useTranslation().i18n;
  const { data } = useDataModel();
  return useMemo(() => {
    const columns = EVENT_COLUMNS.map(
      (one): Column => ({ ...one, description: catalogText(language, 'columns', one) }),
    );
    const streams = (data?.streams ?? NATIVE).map((one) => (one.native ? described(one, language) : one));
    const fields = data?.fields ?? [];
    return {
      columns: columns.filter((one) => matchesColumn(one, query)),
      streams: streams.filter((one) => matchesStream(one, query)),
      fields: fields.filter((one) => matchesField(one, query)),
      allStreams: streams.length,
      allFields: fields.length,
      open: data?.open_requests ?? 0,
    };
  }, [data, language, query]);
}

const NATIVE: readonly ModelStream[] = STREAMS.map(({ name }) => ({
  ...{ name, description: '', native: true, fields: 0, changed_by: null, changed: null },
}));

const ENGLISH = new Map<string, string>(STREAMS.map(({ name, description }) => [name, description]));

const described = (stream: ModelStream, language: string): ModelStream => ({
  ...stream,
  description: catalogText(language, 'streams', {
    name: stream.name,
    description: ENGLISH.get(stream.name) ?? '',
  }),
});
