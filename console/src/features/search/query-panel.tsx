import { Group } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDeviceFloppy, IconWand } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { estimateCost } from '@tyrian/contract';
import type { Diagnostic } from '@tyrian/diagnostics';
import { type RefObject, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../lib/use-call.ts';
import { DiagnosticList } from '../../query-kit/editor/diagnostic-list.tsx';
import { branchesIn } from '../../query-kit/editor/kql-branches.ts';
import { type EditorCommand, KqlEditor, type KqlEditorHandle } from '../../query-kit/editor/kql-editor.tsx';
import type { OnDiagnostics } from '../../query-kit/editor/kql-editor-services.ts';
import { partsOf } from '../../query-kit/editor/kql-statements.ts';
import { diagnosticsIn } from '../../query-kit/editor/server-diagnostics.ts';
import { RunButton } from '../../query-kit/runs/run-button.tsx';
import { costText } from '../../query-kit/runs/search-progress-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { TimeRangePicker } from '../../ui/time-range-picker.tsx';
import { PlanButton } from './plan-button.tsx';
import styles from './query-panel.module.css';
import type { SearchPageState } from './use-search-page.ts';

const QUIET_MS = 600;

/** What the query that is shown, or the first one, would read; asked a moment after the last change and never while it runs. */
export function useCost(page: SearchPageState, isSound: (query: string) => boolean) {
  const { clusterId, scopeId, link, zone, draft } = page;
  const [query] = useDebouncedValue(draft, QUIET_MS);
  const branches = useMemo(() => branchesIn(query), [query]);
  const asked = page.run.asked?.query;
  const one = (branches.find(({ text }) => text === asked) ?? branches[0])?.text ?? query;
  const input = { scope_id: scopeId, query: one, from: link.from, to: link.to, query_timezone: zone };
  const { status, isTaken } = page.run.snapshot;
  const isIdle = status !== 'running';
  // The server has said why it does not take this query; it would say it again.
  const isRefused = status === 'failed' && !isTaken && one === asked;
  const { data, isPlaceholderData } = useQuery({
    ...callQuery(estimateCost, input, { params: { clusterId }, quiet: true, keep: true }),
    enabled: query.trim() !== '' && isSound(query) && isIdle && !isRefused && !page.isRangeWrong,
    staleTime: 30_000,
    retry: false,
  });
  // What has run has figures of its own, and those of another text or range say nothing.
  const hasRun = status === 'done' || status === 'stopped';
  const isOfText = query === draft && !isPlaceholderData && isIdle;
  return { streams: data?.streams, estimate: isOfText && !(hasRun && one === asked) ? data : undefined };
}

interface QueryPanelProps {
  readonly page: SearchPageState;
  readonly cost: ReturnType<typeof useCost>;
  readonly found: readonly Diagnostic[];
  readonly onDiagnostics: OnDiagnostics;
  readonly onCommand: (command: EditorCommand) => void;
  /** Opens the form that saves the text. */
  readonly onSave: () => void;
  readonly editor: RefObject<KqlEditorHandle | null>;
}

/** Editor, time range, run and stop; under it the mistakes and what the query would read. */
export function QueryPanel(props: QueryPanelProps) {
  const { page, found, onDiagnostics, onCommand, editor } = props;
  const { t } = useTranslation('search');
  const { draft, link, run } = page;
  const { snapshot, asked } = run;
  const ofServer = useMemo(
    () => diagnosticsIn(draft, asked?.query ?? '', snapshot.diagnostics),
    [draft, asked, snapshot.diagnostics],
  );
  const errors = ofServer.some((each) => each.severity === 'error') ? ofServer : found;
  return (
    <section className={styles.panel} aria-label={t('query.title')}>
      <div className={styles.editor}>
        <KqlEditor
          value={draft}
          onChange={page.setDraft}
          onRun={(query, text) => page.runPart(query, text)}
          onRunAll={(text) => page.runAll(text)}
          onCommand={onCommand}
          range={{ from: link.from, to: link.to }}
          onDiagnostics={onDiagnostics}
          serverDiagnostics={ofServer}
          ariaLabel={t('query.label')}
          hint={t('query.hint')}
          handle={editor}
        />
      </div>
      <DiagnosticList
        text={draft}
        diagnostics={errors}
        onGo={(each) => editor.current?.select(each.span)}
        onFix={(fix) => editor.current?.fix(fix)}
      />
      <QueryBar {...props} />
    </section>
  );
}

/** What the query would read, and what can be done with it. */
function QueryBar({ page, cost, onSave, editor }: QueryPanelProps) {
  const { t } = useTranslation('search');
  const { draft, link } = page;
  const isRunning = page.runs.some((each) => each.snapshot.status === 'running');
  const parts = useMemo(() => partsOf(draft), [draft]);
  const query = () => editor.current?.query() ?? draft;
  const estimate = cost.estimate && !isRunning ? costText(cost.estimate, t) : '';
  return (
    <div className={styles.bar}>
      <span className={styles.cost} data-testid="search-cost">
        {page.isRangeWrong ? t('query.wrongRange') : estimate}
      </span>
      <Group gap={8} wrap="nowrap">
        <PlanButton page={page} query={query} />
        <IconButton label={t('query.format')} onClick={() => editor.current?.format()}>
          <IconWand size={16} />
        </IconButton>
        <IconButton label={t('save.open')} onClick={onSave} disabled={draft.trim() === ''}>
          <IconDeviceFloppy size={16} />
        </IconButton>
        <TimeRangePicker
          value={{ from: link.from, to: link.to }}
          onChange={(range) => (link.query === '' ? page.show(range) : page.runPart(query(), draft, range))}
        />
        <RunButton
          isRunning={isRunning}
          disabled={draft.trim() === '' || page.isRangeWrong}
          count={parts.length}
          onRun={() => page.runPart(query(), draft)}
          onRunAll={() => page.runAll(draft)}
          onStop={page.stop}
        />
      </Group>
    </div>
  );
}
