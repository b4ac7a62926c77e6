import { Menu } from '@mantine/core';
import { IconBookmarks, IconHistory, IconLayoutSidebar, IconLink, IconSearch } from '@tabler/icons-react';
import type { Diagnostic } from '@tyrian/diagnostics';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { absoluteRange } from '../../lib/time-range.ts';
import type { KqlEditorHandle } from '../../query-kit/editor/kql-editor.tsx';
import { kqlString } from '../../query-kit/editor/kql-literal.ts';
import { ResultTabs } from '../../query-kit/results/result-tabs.tsx';
import { rawText, type ShownColumn } from '../../query-kit/results/result-value.ts';
import { RowDetail } from '../../query-kit/results/row-detail.tsx';
import { type OpenMenu, ValueMenu } from '../../query-kit/results/value-menu.tsx';
import type { ValueTarget } from '../../query-kit/results/value-target.ts';
import { writeSearchLink } from '../../query-kit/runs/search-link.ts';
import { useStable } from '../../query-kit/runs/use-stable.ts';
import { copyText } from '../../ui/copy-text.ts';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SaveSearchButton } from '../workbooks/public.ts';
import { ExportMenu } from './export-menu.tsx';
import { FieldSideBar } from './field-side-bar.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HistogramPanel } from './histogram-panel.tsx';
import { QueryPanel, useCost } from './query-panel.tsx';
import { ResultPanel, useRowOrder, useShownColumns } from './result-panel.tsx';
import { rowContext } from './row-context.ts';
import { SavedName } from './saved-name.tsx';
import styles from './search-page.module.css';
import { useEventSelection } from './use-event-selection.ts';
import { useFindKeys } from './use-find-keys.ts';
import { type Library, useLibrary } from './use-library.tsx';
import { type SearchPageState, STARTING_QUERY, useSearchPage } from './use-search-page.ts';

/** What is shown of one of several results is not taken over to the next. */
const OF_ONE_RESULT = { row: null, columns: [], sort: null, limit: null, view: '' } as const;
const NO_STREAMS: readonly string[] = [];
const UNCHECKED = { text: '', found: [] };
const AROUND_MS = 5 * 60_000;

/** Find: fields at the left, editor on top, histogram below it, results under both. */
export function SearchPage() {
  const page = useSearchPage();
  const { t } = useTranslation('search');
  const { run } = page;
  const { checked, setChecked, cost } = useCheckedCost(page);
  const editor = useRef<KqlEditorHandle>(null);
  const main = useRef<HTMLDivElement>(null);
  useFindKeys(editor, main, STARTING_QUERY);
  const library = useLibrary(page, editor);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [fieldsOpen, setFieldsOpen] = useState(false);
  const columns = useShownColumns(run.snapshot, page.chosen);
  const order = useRowOrder(run.snapshot, columns, page);
  const { shown, toggleColumn } = useColumnChoice(page, columns);
  const filterSource = useStable((target: ValueTarget, keep: boolean) => page.filter(target, keep, 'source'));
  const streams = cost.streams ?? NO_STREAMS;
  return (
    <PageLayout
      head={
        <PageHead
          icon={IconSearch}
          title={t('title')}
          actions={<Actions page={page} library={library} onFields={() => setFieldsOpen((now) => !now)} />}
        >
          <SavedName library={library} />
        </PageHead>
      }
      aside={library.panel || <OpenedRow page={page} order={order} onMenu={setMenu} />}
    >
      <div className={styles.body} data-fields={fieldsOpen || undefined}>
        <div className={styles.fields}>
          <FieldSideBar
            clusterId={page.clusterId}
            scopeId={page.scopeId}
            streams={streams}
            columns={shown}
            asked={run.asked}
            onToggleColumn={toggleColumn}
            onFilter={filterSource}
          />
        </div>
        <div className={styles.main} ref={main}>
          <QueryPanel
            page={page}
            cost={cost}
            found={checked.found}
            onDiagnostics={(found, text) => setChecked({ text, found })}
            onCommand={library.onCommand}
            onSave={library.openSave}
            editor={editor}
          />
          {run.snapshot.status === 'idle' ? (
            <FirstSteps page={page} onPast={library.runPast} />
          ) : (
            <Results {...{ page, streams, columns, order }} onMenu={setMenu} />
          )}
        </div>
      </div>
      {library.dialog}
      <PageValueMenu {...{ page, menu, shown }} onColumn={toggleColumn} onClose={() => setMenu(null)} />
    </PageLayout>
  );
}

/** Nothing is asked about a text before the language service has read it and found no mistake. */
function useCheckedCost(page: SearchPageState) {
  const [checked, setChecked] = useState<{ text: string; found: readonly Diagnostic[] }>(UNCHECKED);
  const cost = useCost(
    page,
    (query) => query === checked.text && checked.found.every((each) => each.severity !== 'error'),
  );
  return { checked, setChecked, cost };
}

/** Names of the columns that are shown, and what puts one among them or takes it out. */
function useColumnChoice(page: SearchPageState, columns: readonly ShownColumn[]) {
  const shown = useMemo(() => columns.map((column) => column.name), [columns]);
  const toggleColumn = useStable((name: string) =>
    page.choose(shown.includes(name) ? shown.filter((each) => each !== name) : [...shown, name]),
  );
  return { shown, toggleColumn };
}

interface ResultsProps {
  readonly page: SearchPageState;
  readonly streams: readonly string[];
  readonly columns: readonly ShownColumn[];
  readonly order: readonly number[];
  readonly onMenu: (menu: OpenMenu) => void;
}

function Results({ page, streams, columns, order, onMenu }: ResultsProps) {
  const { link, run } = page;
  const selection = useEventSelection(page);
  return (
    <>
      <HistogramPanel page={page} streams={streams} />
      <ResultTabs
        text={link.script || link.query}
        runs={page.runs}
        shown={Math.max(0, page.runs.indexOf(run))}
        onShow={(tab) => page.show({ ...OF_ONE_RESULT, tab }, 'push')}
      />
      <ResultPanel {...{ page, columns, order, onMenu, selection }} />
    </>
  );
}

interface PageValueMenuProps {
  readonly page: SearchPageState;
  readonly menu: OpenMenu | null;
  /** Names of the columns that are shown. */
  readonly shown: readonly string[];
  readonly onColumn: (name: string) => void;
  readonly onClose: () => void;
}

/** What can be done with a value of the result. */
function PageValueMenu({ page, menu, shown, onColumn, onClose }: PageValueMenuProps) {
  const hasContext = menu && rowContext(page.run.snapshot.columns, menu.target.row);
  return (
    <ValueMenu
      open={menu}
      onClose={onClose}
      onFilter={(target, keep) => page.filter(target, keep, 'result')}
      onSearchFor={(target) => page.submit(`Events\n| search ${kqlString(rawText(target.value))}`)}
      onSearchAround={hasContext ? (target) => searchAround(page, target) : undefined}
      onAddColumn={menu && !shown.includes(menu.target.column.name) ? onColumn : undefined}
    />
  );
}

/** Everything that the same machine, or anyone when no machine is named, did five minutes before and after. */
function searchAround(page: SearchPageState, target: ValueTarget): void {
  const context = rowContext(page.run.snapshot.columns, target.row);
  if (!context) return;
  const query = context.host ? `Events\n| where DvcHostname == ${kqlString(context.host)}` : 'Events';
  page.submit(
    `${query}\n| sort by TimeGenerated asc`,
    absoluteRange(context.time - AROUND_MS, context.time + AROUND_MS),
  );
}

interface ActionsProps {
  readonly page: SearchPageState;
  readonly library: Library;
  readonly onFields: () => void;
}

function Actions({ page, library, onFields }: ActionsProps) {
  const { t } = useTranslation('search');
  const { run, draft, link } = page;
  return (
    <>
      <span className={styles.fieldsKey}>
        <IconButton label={t('fields.title')} onClick={onFields}>
          <IconLayoutSidebar size={16} />
        </IconButton>
      </span>
      <IconButton label={t('recent.open')} onClick={() => library.toggle('history')}>
        <IconHistory size={16} />
      </IconButton>
      <IconButton label={t('library.open')} onClick={() => library.toggle('saved')}>
        <IconBookmarks size={16} />
      </IconButton>
      <LinkMenu page={page} />
      <ExportMenu
        clusterId={page.clusterId}
        asked={run.snapshot.status === 'failed' ? null : run.asked}
        columns={page.chosen}
      />
      <SaveSearchButton
        query={draft}
        range={{ from: link.from, to: link.to }}
        disabled={draft.trim() === ''}
      />
    </>
  );
}

/** A link freezes the range unless it is asked to move along. */
function LinkMenu({ page }: { readonly page: SearchPageState }) {
  const { t } = useTranslation('search');
  const { link, run } = page;
  const { from, to } = run.asked ?? {};
  const copy = (frozen: boolean) => {
    const range = frozen && typeof from === 'number' && typeof to === 'number' ? absoluteRange(from, to) : {};
    const [address = ''] = window.location.href.split('?');
    void copyText(`${address}?${writeSearchLink({ ...link, ...range }).toString()}`);
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconButton label={t('link.title')} disabled={run.asked === null}>
          <IconLink size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => copy(true)}>{t('link.frozen')}</Menu.Item>
        <Menu.Item onClick={() => copy(false)}>{t('link.moving')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface OpenedRowProps {
  readonly page: SearchPageState;
  readonly order: readonly number[];
  readonly onMenu: (menu: OpenMenu) => void;
}

function OpenedRow({ page, order, onMenu }: OpenedRowProps) {
  const { t } = useTranslation('search');
  const { snapshot } = page.run;
  const index = page.link.row;
  const row = index === null ? undefined : snapshot.rows[index];
  if (!row || index === null) return null;
  const at = order.indexOf(index);
  const step = (by: number) => {
    const next = order[at + by];
    return next === undefined ? undefined : () => page.show({ row: next });
  };
  return (
    <DetailFlyout
      title={t('detail.title', { row: at + 1, count: order.length })}
      label={t('detail.label')}
      onClose={() => page.show({ row: null })}
      onPrevious={step(-1)}
      onNext={step(1)}
    >
      <RowDetail
        columns={snapshot.columns}
        row={row}
        zone={page.zone}
        onMenu={(target, point) => onMenu({ target, point })}
      />
    </DetailFlyout>
  );
}
