import { Select } from '@mantine/core';
import { IconExternalLink, IconPlayerTrackNext } from '@tabler/icons-react';
import type { KqlBlock } from '@tyrian/contract';
import type { Diagnostic } from '@tyrian/diagnostics';
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { resolveZone } from '../../lib/format-time.ts';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { lastRange, QUICK_RANGES } from '../../lib/time-range.ts';
import { DiagnosticList } from '../../query-kit/editor/diagnostic-list.tsx';
import { type Branch, branchesIn, branchesOf } from '../../query-kit/editor/kql-branches.ts';
import { KqlEditor, type KqlEditorHandle } from '../../query-kit/editor/kql-editor.tsx';
import { diagnosticsIn } from '../../query-kit/editor/server-diagnostics.ts';
import { EmbeddedResults } from '../../query-kit/results/embedded-results.tsx';
import { RunButton } from '../../query-kit/runs/run-button.tsx';
import { EMPTY_LINK, writeSearchLink } from '../../query-kit/runs/search-link.ts';
import { type SearchRun, useSearchRuns } from '../../query-kit/runs/use-search-runs.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useRangeLabel } from '../../ui/use-range-label.ts';
import { BlockFrame } from './block-frame.tsx';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import { changeBlock } from './workbook-draft.ts';

export interface BlockRunner {
  run(): void;
  stop(): void;
}

interface KqlBlockViewProps {
  readonly editor: WorkbookEditor;
  readonly block: KqlBlock;
  readonly index: number;
  readonly runner: Ref<BlockRunner>;
  /** Hears when a run starts and when it has ended. */
  readonly onRunning: (blockId: string, isRunning: boolean) => void;
  /** Runs this block and all below it. */
  readonly onRunFrom: () => void;
}

/** A query with its own run, range and result. */
export function KqlBlockView(props: KqlBlockViewProps) {
  const { editor, block, index, runner, onRunning } = props;
  const { t } = useTranslation('workbooks');
  const { fixed } = editor;
  const { query } = block.body;
  const change = useBlockChange(editor, block.block_id);
  const [duration, setDuration] = useState(block.body.duration);
  const { runs, ask, stop } = useBlockRuns(editor, duration);
  const { errors, ofServer, setFound } = useDiagnostics(query, runs);
  const text = useRef<KqlEditorHandle>(null);
  const run = (wanted = query) => ask(branchesIn(wanted));
  useImperativeHandle(runner, () => ({ run: () => run(), stop }));
  const isRunning = useToldRunning(runs, block.block_id, onRunning);
  // Whoever may not change the workbook may still choose how far back to look.
  const choose = (next: string) => {
    setDuration(next);
    if (!fixed) change({ duration: next });
  };
  const rewrite = (next: string) => {
    change({ query: next });
    run(next);
  };
  return (
    <BlockFrame
      editor={editor}
      block={block}
      index={index}
      title={t('block.kql')}
      tools={
        <Tools
          {...{ isRunning, run, stop, duration, query }}
          count={branchesIn(query).length}
          runOne={() => ask(branchesOf(text.current?.query() ?? query))}
          onDuration={choose}
          onRunFrom={props.onRunFrom}
        />
      }
    >
      <KqlEditor
        value={query}
        onChange={(next) => change({ query: next })}
        onRun={(wanted) => ask(branchesOf(wanted))}
        onRunAll={run}
        range={lastRange(duration)}
        onDiagnostics={setFound}
        serverDiagnostics={ofServer}
        ariaLabel={t('block.kqlLabel')}
        hint={t('block.kqlHint')}
        readOnly={fixed !== null}
        maxLines={24}
        handle={text}
      />
      <DiagnosticList text={query} diagnostics={errors} onGo={(each) => text.current?.select(each.span)} />
      <EmbeddedResults text={query} runs={runs} onRetry={() => run()} onText={fixed ? undefined : rewrite} />
    </BlockFrame>
  );
}

/** Writes into the block, wherever it stands by now. */
function useBlockChange({ setDraft }: WorkbookEditor, blockId: string) {
  return (body: Partial<KqlBlock['body']>) =>
    setDraft((now) =>
      changeBlock(now, blockId, (each) =>
        each.type === 'kql' ? { ...each, body: { ...each.body, ...body } } : each,
      ),
    );
}

/** The runs of a block; asking starts each different query once, over the time that the block looks back. */
function useBlockRuns({ clusterId, scopeId }: WorkbookEditor, duration: string) {
  const zone = resolveZone(useSettings().timeZone);
  const { runs, start, stop } = useSearchRuns(clusterId);
  const ask = (queries: readonly Branch[]) => {
    const texts = [...new Set(queries.map((each) => each.text))].filter((each) => each.trim() !== '');
    const asked = { job_type: 'kql', scope_id: scopeId, query_timezone: zone } as const;
    start(texts.map((query) => ({ ...asked, query, ...lastRange(duration) })));
  };
  return { runs, ask, stop };
}

/** What is wrong with the query: what the server said to it before what the editor found. */
function useDiagnostics(query: string, runs: readonly SearchRun[]) {
  const [found, setFound] = useState<readonly Diagnostic[]>([]);
  const ofServer = useMemo(
    () =>
      runs.flatMap(({ asked, snapshot }) => diagnosticsIn(query, asked?.query ?? '', snapshot.diagnostics)),
    [runs, query],
  );
  const errors = ofServer.some((each) => each.severity === 'error') ? ofServer : found;
  return { errors, ofServer, setFound };
}

/** Whether a run goes on; the page hears it too. */
function useToldRunning(
  runs: readonly SearchRun[],
  blockId: string,
  onRunning: KqlBlockViewProps['onRunning'],
): boolean {
  const isRunning = runs.some((each) => each.snapshot.status === 'running');
  useEffect(() => {
    onRunning(blockId, isRunning);
    return () => onRunning(blockId, false);
  }, [onRunning, blockId, isRunning]);
  return isRunning;
}

interface ToolsProps {
  readonly isRunning: boolean;
  readonly query: string;
  readonly duration: string;
  /** Queries in the text. */
  readonly count: number;
  readonly run: () => void;
  /** The query under the cursor. */
  readonly runOne: () => void;
  readonly stop: () => void;
  readonly onDuration: (duration: string) => void;
  readonly onRunFrom: () => void;
}

function Tools({ isRunning, query, duration, count, run, runOne, stop, ...rest }: ToolsProps) {
  const { onDuration, onRunFrom } = rest;
  const { t } = useTranslation('workbooks');
  const label = useRangeLabel();
  const navigate = useNavigate();
  const spans = [...new Set([...QUICK_RANGES, duration])];
  const findPath = scopePath(useScope(), '/workbook/new');
  const find = () =>
    void navigate(`${findPath}?${writeSearchLink({ ...EMPTY_LINK, query, ...lastRange(duration) })}`);
  return (
    <>
      <Select
        aria-label={t('block.duration')}
        data={spans.map((span) => ({ value: span, label: label(lastRange(span)) }))}
        value={duration}
        onChange={(span) => span && onDuration(span)}
        allowDeselect={false}
        w={168}
      />
      <IconButton label={t('block.openInFind')} onClick={find} size={26}>
        <IconExternalLink size={15} />
      </IconButton>
      <IconButton label={t('block.runFrom')} onClick={onRunFrom} size={26}>
        <IconPlayerTrackNext size={15} />
      </IconButton>
      <RunButton
        variant="default"
        isRunning={isRunning}
        disabled={query.trim() === ''}
        count={count}
        onRun={runOne}
        onRunAll={run}
        onStop={stop}
      />
    </>
  );
}
