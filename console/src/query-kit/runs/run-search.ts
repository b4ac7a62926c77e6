import {
  type CodedText,
  cancelTask,
  type InputOf,
  invokeJob,
  type OutputOf,
  type ResultColumn,
  type ResultValue,
  type SearchDiagnostic,
  type SearchNotice,
  type SearchRange,
  taskResult,
  taskState,
} from '@tyrian/contract';
import { CallError, call } from '../../lib/call.ts';

// One search from the click to the last row: invoke, ask for the state, take first rows early, take the rest
// when done. It knows no React; whoever starts it is told of every step and may stop it.

export type SearchStatus = 'idle' | 'running' | 'done' | 'failed' | 'stopped';

export interface SearchProgress {
  readonly rowsRead: number;
  readonly bytesRead: number;
  /** Share of the asked range that is read, 0 to 1. */
  readonly share: number;
  readonly elapsedMs: number;
  readonly queued: boolean;
}

export interface SearchSnapshot {
  readonly status: SearchStatus;
  /** The server has taken the query: it has no mistakes. */
  readonly isTaken: boolean;
  readonly progress: SearchProgress;
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly ResultValue[])[];
  /** Rows that the server keeps; with `truncated` the data has more. */
  readonly total: number;
  readonly truncated: boolean;
  readonly engineMs: number;
  readonly range: SearchRange | null;
  readonly notices: readonly SearchNotice[];
  readonly diagnostics: readonly SearchDiagnostic[];
  /** Why it failed, in English and by code; empty otherwise. */
  readonly message: string;
  readonly messageCode?: CodedText['messageCode'];
  readonly messageValues?: CodedText['messageValues'];
  readonly requestId: string | null;
  /** It failed because the server did not answer at all. */
  readonly isUnanswered: boolean;
}

export type KqlJob = Extract<InputOf<typeof invokeJob>, { job_type: 'kql' }>;
type Result = OutputOf<typeof taskResult>;
type State = OutputOf<typeof taskState>;

const NO_PROGRESS: SearchProgress = {
  rowsRead: 0,
  bytesRead: 0,
  share: 0,
  elapsedMs: 0,
  queued: false,
};

export const IDLE_SEARCH: SearchSnapshot = {
  status: 'idle',
  isTaken: false,
  progress: NO_PROGRESS,
  columns: [],
  rows: [],
  total: 0,
  truncated: false,
  engineMs: 0,
  range: null,
  notices: [],
  diagnostics: [],
  message: '',
  requestId: null,
  isUnanswered: false,
};

const PAGE = 2000;
/** The server answers at once when there are first rows or the end, else after so long with its progress. */
const WAIT_MS = 400;
/** Between two questions, should the server not wait. */
const PAUSE_MS = 60;

interface RunOptions {
  readonly clusterId: string;
  readonly job: KqlJob;
  readonly signal: AbortSignal;
  readonly onChange: (snapshot: SearchSnapshot) => void;
}

/** Runs a search to its end. Never rejects: a failure is a snapshot. An abort cancels the task on the server. */
export async function runSearch(options: RunOptions): Promise<void> {
  const { clusterId, job, signal, onChange } = options;
  let now: SearchSnapshot = { ...IDLE_SEARCH, status: 'running' };
  const tell = (change: Partial<SearchSnapshot>) => {
    now = { ...now, ...change };
    if (!signal.aborted) onChange(now);
  };
  tell({});
  try {
    const [task] = await call(invokeJob, { params: { clusterId }, input: { ...job, page_rows: PAGE } });
    if (!task) throw new CallError('failed', '', 0, null);
    tell({ isTaken: true });
    const cancel = () => void call(cancelTask, { params: { clusterId, taskid: task.id } }).catch(() => null);
    if (signal.aborted) return cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const run = { clusterId, taskId: task.id, signal, tell };
    const state = task.task_stage === 'EXECUTED' ? null : await follow(run);
    if (state?.task_stage === 'FAILURE') tell(failureOf(state));
    else await takeRows(run, task.result);
    signal.removeEventListener('abort', cancel);
  } catch (error) {
    if (!signal.aborted) tell(refusalOf(error));
  }
}

interface TaskRun {
  readonly clusterId: string;
  readonly taskId: string;
  readonly signal: AbortSignal;
  readonly tell: (change: Partial<SearchSnapshot>) => void;
}

/** Asks for the state until the task has ended; shows the first rows as soon as there are some. */
async function follow({ clusterId, taskId, signal, tell }: TaskRun): Promise<State> {
  let firstRowsShown = false;
  for (;;) {
    const input = { wait_ms: WAIT_MS, rows_seen: firstRowsShown ? 1 : 0 };
    const state = await call(taskState, { params: { clusterId, taskid: taskId }, input, signal });
    tell({ progress: progressOf(state) });
    if (state.task_stage === 'EXECUTED' || state.task_stage === 'FAILURE') return state;
    if (!firstRowsShown && state.progress.rows_ready > 0) {
      firstRowsShown = true;
      const page = await resultPage({ clusterId, taskId, signal, tell }, 1);
      tell({ columns: page.columns, rows: page.rows, total: page.total_count });
    }
    await pause(PAUSE_MS, signal);
  }
}

/** All pages; a search that ended soon has answered its only one already. */
async function takeRows(run: TaskRun, first: Result | undefined): Promise<void> {
  let rows: readonly (readonly ResultValue[])[] = [];
  for (let pageno = 1; ; pageno++) {
    const page = (pageno === 1 ? first : undefined) ?? (await resultPage(run, pageno));
    rows = pageno === 1 ? page.rows : [...rows, ...page.rows];
    const complete = rows.length >= page.total_count || page.rows.length === 0;
    run.tell({ ...resultOf(page), rows, status: complete ? 'done' : 'running' });
    if (complete) return;
  }
}

function resultPage({ clusterId, taskId, signal }: TaskRun, pageno: number): Promise<Result> {
  const input = { pagesize: PAGE, pageno, form: 'rows' as const };
  return call(taskResult, { params: { clusterId, taskid: taskId }, input, signal });
}

function resultOf(page: Result): Partial<SearchSnapshot> {
  return {
    columns: page.columns,
    total: page.total_count,
    truncated: page.truncated,
    engineMs: page.statistics.engine_ms,
    range: page.range,
    notices: page.notices,
    diagnostics: page.diagnostics,
    ...saidIn(page),
    progress: {
      rowsRead: page.statistics.rows_read,
      bytesRead: page.statistics.bytes_read,
      elapsedMs: page.statistics.elapsed_ms,
      share: 1,
      queued: false,
    },
  };
}

function progressOf(state: State): SearchProgress {
  const { rows_read, bytes_read, share, elapsed_ms } = state.progress;
  return {
    rowsRead: rows_read,
    bytesRead: bytes_read,
    share,
    elapsedMs: elapsed_ms,
    queued: state.task_stage === 'PENDING',
  };
}

function failureOf(state: State): Partial<SearchSnapshot> {
  return {
    status: state.task_state === 'REVOKED' ? 'stopped' : 'failed',
    ...saidIn(state),
    diagnostics: state.diagnostics,
  };
}

function refusalOf(error: unknown): Partial<SearchSnapshot> {
  const refused = error instanceof CallError ? error : null;
  const details = refused?.details as { diagnostics?: readonly SearchDiagnostic[] } | null | undefined;
  return {
    status: 'failed',
    ...(refused ? saidIn(refused) : { message: String(error) }),
    requestId: refused?.requestId ?? null,
    isUnanswered: refused?.kind === 'network',
    diagnostics: details?.diagnostics ?? [],
  };
}

/** Server sentences are kept by code: a snapshot outlives a change of the language. */
const saidIn = ({ message, messageCode, messageValues }: CodedText) => ({
  message,
  messageCode,
  messageValues,
});

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(new CallError('aborted', '', 0, null));
      },
      { once: true },
    );
  });
}
