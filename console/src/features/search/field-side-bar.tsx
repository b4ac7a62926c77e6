import { ScrollArea, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listFields, type SearchField } from '@tyrian/contract';
import { type KeyboardEvent, memo, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../lib/use-call.ts';
import type { ValueTarget } from '../../query-kit/results/value-target.ts';
import type { KqlJob } from '../../query-kit/runs/run-search.ts';
import { moveInRows } from '../../ui/roving-rows.ts';
import { groupFields } from './field-groups.ts';
import { FieldItem } from './field-item.tsx';
import styles from './field-side-bar.module.css';

// The fields that a query may name: those that are shown as columns, those worth a look for the streams asked
// for, all that have data, and those that are only numbered. A field opens to its most frequent values.

interface FieldSideBarProps {
  readonly clusterId: string;
  readonly scopeId: string;
  /** Streams that the query reads; empty: all. */
  readonly streams: readonly string[];
  readonly columns: readonly string[];
  /** The search whose events the top values are of; null before the first one. */
  readonly asked: KqlJob | null;
  readonly onToggleColumn: (name: string) => void;
  readonly onFilter: (target: ValueTarget, keep: boolean) => void;
}

const EVERY_MINUTE = 60_000;

function SideBar(props: FieldSideBarProps) {
  const { clusterId, scopeId, streams, columns } = props;
  const { t } = useTranslation('search');
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const wanted = useDeferredValue(search);
  const fields = useQuery({
    ...callQuery(
      listFields,
      { scope_id: scopeId, stream: [...streams] },
      { params: { clusterId }, keep: true, quiet: true },
    ),
    staleTime: EVERY_MINUTE,
  });
  const groups = useMemo(
    () => groupFields(fields.data ?? [], columns, wanted),
    [fields.data, columns, wanted],
  );
  const listed = [...groups.selected, ...groups.popular, ...groups.rest, ...groups.numbered];
  const stop = listed.some(({ name }) => name === focused) ? focused : listed[0]?.name;
  const item = (field: SearchField) => (
    <FieldItem
      key={field.name}
      field={field}
      isColumn={columns.includes(field.name)}
      isOpen={open === field.name}
      isStop={stop === field.name}
      onFocus={() => setFocused(field.name)}
      clusterId={clusterId}
      asked={props.asked}
      onOpen={() => setOpen((now) => (now === field.name ? null : field.name))}
      onToggleColumn={() => props.onToggleColumn(field.name)}
      onFilter={props.onFilter}
    />
  );
  const group = (title: string, list: readonly SearchField[]) =>
    list.length > 0 && (
      <section aria-label={title}>
        <h2 className={styles.group}>
          {title} <span>{list.length}</span>
        </h2>
        <ul className={styles.list}>{list.map(item)}</ul>
      </section>
    );
  const none = listed.length === 0;
  // In the field that searches only the arrow down leads on: the other keys move in its text.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLInputElement) || event.key === 'ArrowDown') moveInRows(event);
  };
  return (
    <aside className={styles.bar} aria-label={t('fields.title')} onKeyDown={onKeyDown}>
      <TextInput
        className={styles.search}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        placeholder={t('fields.search')}
        aria-label={t('fields.search')}
        leftSection={<IconSearch size={14} />}
        size="xs"
      />
      <ScrollArea className={styles.scroll} type="auto" scrollbarSize={8} offsetScrollbars="y">
        {group(t('fields.selected'), groups.selected)}
        {group(t('fields.popular'), groups.popular)}
        {group(t('fields.all'), groups.rest)}
        {group(t('fields.numbered'), groups.numbered)}
        {none && (
          <p className={styles.none}>
            {fields.isPending ? t('fields.loading') : fields.isError ? t('fields.failed') : t('fields.none')}
          </p>
        )}
      </ScrollArea>
    </aside>
  );
}

/** Renders again only when its own properties change: typing in the editor must not draw two hundred fields. */
export const FieldSideBar = memo(SideBar);
