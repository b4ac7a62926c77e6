import { Anchor, SegmentedControl } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ResultColumn, ResultValue } from '@tyrian/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScope } from '../../lib/session-store.ts';
import { signalPath } from '../../lib/signal-path.ts';
import { useValueWords, withWords } from '../../lib/value-words.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { kqlName, kqlPath } from '../editor/kql-literal.ts';
import { EnrichmentFacts } from './enrichment-facts.tsx';
import { type ResultRow, rawText, valueText } from './result-value.ts';
import styles from './row-detail.module.css';
import type { MenuPoint, ValueTarget } from './value-target.ts';

interface RowDetailProps {
  readonly columns: readonly ResultColumn[];
  readonly row: ResultRow;
  readonly zone: string;
  readonly onMenu: (target: ValueTarget, point: MenuPoint) => void;
}

export interface DetailField {
  readonly name: string;
  readonly type: string;
  readonly reference: string;
  readonly value: ResultValue;
}

const DEEPEST = 4;

function branches(head: readonly string[], value: unknown): DetailField[] {
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && head.length <= DEEPEST) {
    const inner = Object.entries(value).flatMap(([key, each]) => branches([...head, key], each));
    if (inner.length > 0) return inner;
  }
  return [{ name: head.join('.'), type: 'dynamic', reference: kqlPath(head), value }];
}

/** Every field of a row that holds something; dynamic columns open into their paths. `Raw` has a tab of its own. */
function detailFields(columns: readonly ResultColumn[], row: ResultRow): DetailField[] {
  return columns.flatMap((column, index) => {
    const value = row[index] ?? null;
    if (value === null || value === '' || column.name === 'Raw') return [];
    if (column.type === 'dynamic') return branches([column.name], value);
    return [{ name: column.name, type: column.type, reference: kqlName(column.name), value }];
  });
}

/** A text that holds JSON, one field a line; any other text as it is. */
function laidOut(text: string): string {
  if (!/^[[{].*[\]}]$/s.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The text that the source sent, indented when it is JSON; the whole row when the result has no raw text. */
function rawForm(columns: readonly ResultColumn[], row: ResultRow): string {
  const raw = row[columns.findIndex((column) => column.name === 'Raw')];
  if (typeof raw !== 'string' || raw === '') {
    return JSON.stringify(
      Object.fromEntries(columns.map((column, index) => [column.name, row[index]])),
      null,
      2,
    );
  }
  return laidOut(raw);
}

/** What a row holds: its fields, each with the menu of a value, or the text as it was received. */
export function RowDetail({ columns, row, zone, onMenu }: RowDetailProps) {
  const { t } = useTranslation('search');
  const { t: enrichment } = useTranslation('enrichment');
  const [view, setView] = useState('fields');
  const [search, setSearch] = useState('');
  const fields = useMemo(() => detailFields(columns, row), [columns, row]);
  const words = useValueWords();
  const raw = useMemo(() => rawForm(columns, row), [columns, row]);
  const scope = useScope();
  const event = eventOf(columns, row);
  const signalId = rawText(row[columns.findIndex(({ name }) => name === 'SignalId')] ?? null);
  const wanted = search.trim().toLowerCase();
  const shown = fields.filter((field) =>
    `${field.name} ${withWords(valueText(field.value, field.type, zone), words(field.name, field.value))}`
      .toLowerCase()
      .includes(wanted),
  );
  return (
    <div className={styles.detail}>
      <div className={styles.tools}>
        <SegmentedControl
          value={view}
          onChange={setView}
          aria-label={t('detail.view')}
          data={[
            { value: 'fields', label: t('detail.fields', { count: fields.length }) },
            { value: 'raw', label: t('detail.raw') },
            ...(event === null ? [] : [{ value: 'enrichment', label: enrichment('facts.view') }]),
          ]}
        />
        {view === 'fields' && (
          <SearchInput value={search} onChange={setSearch} label={t('detail.search')} width={180} />
        )}
        {signalId === '' ? null : (
          <Anchor component={Link} to={signalPath(scope, signalId)} size="xs">
            {t('detail.openSignal')}
          </Anchor>
        )}
        {view === 'raw' && <CopyButton value={raw} label={t('detail.copyRaw')} />}
      </div>
      {view === 'raw' && <pre className={styles.raw}>{raw}</pre>}
      {view === 'enrichment' && event !== null && <EnrichmentFacts {...event} />}
      {view === 'fields' && <FieldList shown={shown} row={row} zone={zone} onMenu={onMenu} />}
    </div>
  );
}

interface FieldListProps extends Pick<RowDetailProps, 'row' | 'zone' | 'onMenu'> {
  readonly shown: readonly DetailField[];
}

function FieldList({ shown, row, zone, onMenu }: FieldListProps) {
  const { t } = useTranslation('search');
  const words = useValueWords();
  if (shown.length === 0) return <p className={styles.none}>{t('detail.noMatch')}</p>;
  return (
    <dl className={styles.fields}>
      {shown.map((field) => (
        <FieldRow
          key={field.name}
          name={field.name}
          words={words(field.name, field.value)}
          onMenu={(point) => onMenu(targetOf(field, row), point)}
        >
          {laidOut(valueText(field.value, field.type, zone))}
        </FieldRow>
      ))}
    </dl>
  );
}

/** The stored event that the row is, by its id and time; null for a row that is none. */
function eventOf(
  columns: readonly ResultColumn[],
  row: ResultRow,
): { readonly uid: string; readonly time: number } | null {
  const cell = (name: string) => row[columns.findIndex((column) => column.name === name)] ?? null;
  const uid = cell('EventUid');
  const time = Date.parse(String(cell('TimeGenerated')));
  return typeof uid !== 'string' || uid === '' || Number.isNaN(time) ? null : { uid, time };
}

const targetOf = ({ name, type, reference, value }: DetailField, row: ResultRow): ValueTarget => ({
  column: { name, type, reference },
  value,
  row,
});

function FieldRow(props: {
  readonly name: string;
  readonly words: string | null;
  readonly children: ReactNode;
  readonly onMenu: (point: MenuPoint) => void;
}) {
  const { t } = useTranslation('search');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: both buttons of the mouse are short cuts for the dots
    <div
      className={styles.field}
      onContextMenu={(event) => {
        event.preventDefault();
        props.onMenu({ x: event.clientX, y: event.clientY });
      }}
      onClick={({ target, clientX: x, clientY: y }) => {
        // A click that ends the marking of text asks for nothing.
        const isOnValue = target instanceof Element && target.closest('[data-value]') !== null;
        if (isOnValue && window.getSelection()?.isCollapsed !== false) props.onMenu({ x, y });
      }}
    >
      <dt title={props.name}>{props.name}</dt>
      <dd>
        <span className={styles.value} data-value>
          <span className="mono">{props.children}</span>
          {props.words !== null && <span className={styles.words}>{props.words}</span>}
        </span>
        <button
          type="button"
          className={styles.more}
          aria-label={t('values.actions', { field: props.name })}
          onClick={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            props.onMenu({ x: box.left, y: box.bottom });
          }}
        >
          <IconDots size={14} aria-hidden />
        </button>
      </dd>
    </div>
  );
}
