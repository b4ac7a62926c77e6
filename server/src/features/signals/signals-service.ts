import {
  type OutputOf,
  type Signal,
  type SignalDetail,
  type SignalFacets,
  type SignalSelection,
  type SignalTag,
  say,
  sayOfField,
  type signalCaseList,
  type signalGraphData,
} from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { readEntry } from '../search/read-entry.ts';
import type { EvidencePage, EvidenceQuery, EvidenceRead, EvidenceService } from './evidence-service.ts';
import { findFacetTask, insertFacetTask } from './facet-task-store.ts';
import { graphOf } from './signal-graph.ts';
import type { WideSelection } from './signal-selection.ts';
import {
  countSlices,
  countViews,
  findSignal,
  historyOf,
  type PageRequest,
  type SignalSort,
  selectFacets,
  selectSignalIds,
  selectSignals,
  signalsById,
  spanOf,
} from './signal-store.ts';
import { insertTag, tagsOf } from './signal-tag-store.ts';
import { fillSlices, intervalFor, MAX_SLICES } from './time-slices.ts';
import { changeTags, setFalsePositive } from './triage-store.ts';

// Signals: what analysts see of them, and triage. Tagging a false positive hides nothing that comes later.

/** The tenant of a call and who makes it; the scope stands in each input. */
export interface Asked {
  readonly caller: Caller;
  readonly clusterId: string;
}

type CaseOfSignal = OutputOf<typeof signalCaseList>[number];

export interface SignalsDeps {
  readonly postgres: Postgres;
  readonly evidence: EvidenceService;
  /** Cases by id, of those that the scope holds. */
  readonly casesById: (
    clusterId: string,
    scopeId: string,
    caseIds: readonly string[],
  ) => Promise<readonly CaseOfSignal[]>;
  /** Knowledge base and existence of a workbook version; null when the scope has no such workbook. */
  readonly knowledgeOf: (
    clusterId: string,
    scopeId: string,
    workbookId: string,
    version: number | null,
  ) => Promise<{ name: string; kb: string; exists: boolean } | null>;
  readonly audit: AuditService;
  readonly clock: Clock;
}

interface BulkResult {
  changed: number;
  unchanged: number;
  not_found: string[];
}

/** Ids that one entry of the audit trail names. */
const MAX_NAMED = 1000;
const GRAPH_SIGNALS = 500;
const GRAPH_CONNECTED = 200;

export type SignalsService = ReturnType<typeof createSignalsService>;

export function createSignalsService(deps: SignalsDeps) {
  return bindDeps(deps, {
    list,
    ids,
    timeslices,
    info,
    data,
    eventsQuery,
    knowledge,
    cases,
    askFacets,
    facets,
    graph,
    falsePositive,
    tag,
    tags,
    createTag,
  });
}

function inTenant<T>({ postgres }: SignalsDeps, asked: Asked, work: (trx: TenantTransaction) => Promise<T>) {
  return postgres.inTenant(asked.clusterId, work);
}

function one(deps: SignalsDeps, asked: Asked, scopeId: string, signalId: string): Promise<Signal> {
  return inTenant(deps, asked, async (trx) => {
    const signal = await findSignal(trx, asked.clusterId, scopeId, signalId);
    if (!signal) throw notFound();
    return signal;
  });
}

/** Runs a bulk change with its entry in the audit trail, and tells true numbers: changed, already so, not there. */
function bulk(
  deps: SignalsDeps,
  asked: Asked,
  scopeId: string,
  signalIds: readonly string[],
  entry: { readonly action: string; readonly details: Readonly<Record<string, unknown>> },
  change: (trx: TenantTransaction, ids: readonly string[]) => Promise<readonly string[]>,
): Promise<BulkResult> {
  return inTenant(deps, asked, async (trx) => {
    const wanted = [...new Set(signalIds)];
    const found = new Set(
      (await signalsById(trx, asked.clusterId, scopeId, wanted)).map((signal) => signal.signal_id),
    );
    const changed = await change(trx, [...found]);
    const details = { ...entry.details, changed: changed.length, signals: changed.slice(0, MAX_NAMED) };
    const { caller, clusterId } = asked;
    await deps.audit.record({ action: entry.action, who: caller, clusterId, scopeId, details }, trx);
    return {
      changed: changed.length,
      unchanged: found.size - changed.length,
      not_found: wanted.filter((id) => !found.has(id)),
    };
  });
}

function list(
  deps: SignalsDeps,
  asked: Asked,
  selection: WideSelection,
  page: PageRequest & { readonly sort: SignalSort; readonly order: 'asc' | 'desc' },
) {
  return inTenant(deps, asked, async (trx) => {
    const counts = await countViews(trx, asked.clusterId, selection);
    const data = await selectSignals(trx, asked.clusterId, selection, page);
    return { data, total_count: counts[selection.view], view_counts: counts };
  });
}

function ids(deps: SignalsDeps, asked: Asked, selection: SignalSelection, page: PageRequest) {
  return inTenant(deps, asked, async (trx) => {
    const counts = await countViews(trx, asked.clusterId, selection);
    const ids = await selectSignalIds(trx, asked.clusterId, selection, page);
    return { ids, total_count: counts[selection.view] };
  });
}

function timeslices(deps: SignalsDeps, asked: Asked, selection: SignalSelection, interval?: number) {
  return inTenant(deps, asked, async (trx) => {
    const span = await spanOf(trx, asked.clusterId, selection);
    const from = selection.start ?? span?.from;
    const to = selection.end === undefined ? (span?.to ?? from) : selection.end - 1;
    if (from === undefined || to === undefined || to < from) return [];
    const step = interval ?? intervalFor({ from, to });
    if ((to - from) / step > MAX_SLICES) {
      throw new AppError(
        'bad-input',
        sayOfField('interval', say('signals.tooManySlices', { most: MAX_SLICES, step })),
      );
    }
    const counts = await countSlices(trx, asked.clusterId, selection, step);
    return fillSlices(counts, { from, to }, step);
  });
}

async function info(
  deps: SignalsDeps,
  asked: Asked,
  scopeId: string,
  signalId: string,
): Promise<SignalDetail> {
  const signal = await one(deps, asked, scopeId, signalId);
  const knowledge = await deps.knowledgeOf(asked.clusterId, scopeId, signal.workbook_id, null);
  const history = await inTenant(deps, asked, (trx) => historyOf(trx, asked.clusterId, signalId));
  const { fields, read } = await deps.evidence.fields(asked.clusterId, signal);
  await deps.audit.record(openedEntry(asked, 'signal.open', signalId, read));
  return { ...signal, fields, history, workbook_exists: knowledge?.exists ?? false };
}

async function data(
  deps: SignalsDeps,
  asked: Asked,
  scopeId: string,
  signalId: string,
  pageRequest: PageRequest,
): Promise<EvidencePage> {
  const { page, read } = await deps.evidence.page(asked.clusterId, scopeId, signalId, pageRequest);
  await deps.audit.record(openedEntry(asked, 'signal.events', signalId, read));
  return page;
}

async function eventsQuery(
  deps: SignalsDeps,
  asked: Asked,
  scopeId: string,
  signalId: string,
): Promise<EvidenceQuery> {
  const { found, read } = await deps.evidence.query(asked.clusterId, scopeId, signalId);
  await deps.audit.record(openedEntry(asked, 'signal.events', signalId, read));
  return found;
}

async function knowledge(
  deps: SignalsDeps,
  asked: Asked,
  scopeId: string,
  wanted: { readonly signal_id?: string | undefined; readonly workbook_id?: string | undefined },
): Promise<{ name: string; kb: string }> {
  const signal = wanted.signal_id === undefined ? null : await one(deps, asked, scopeId, wanted.signal_id);
  const workbookId = signal?.workbook_id ?? wanted.workbook_id ?? '';
  const found = await deps.knowledgeOf(asked.clusterId, scopeId, workbookId, signal?.version ?? null);
  if (!found) throw notFound();
  return { name: found.name, kb: found.kb };
}

async function cases(
  deps: SignalsDeps,
  asked: Asked,
  scopeId: string,
  signalId: string,
): Promise<CaseOfSignal[]> {
  const signal = await one(deps, asked, scopeId, signalId);
  return [...(await deps.casesById(asked.clusterId, scopeId, signal.case_ids))];
}

async function askFacets(
  deps: SignalsDeps,
  asked: Asked,
  selection: SignalSelection,
): Promise<{ task_id: string }> {
  const task = {
    clusterId: asked.clusterId,
    taskId: newId(),
    scopeId: selection.scope_id,
    userId: asked.caller.userId,
  };
  await inTenant(deps, asked, (trx) => insertFacetTask(trx, task, selection, deps.clock.now()));
  return { task_id: task.taskId };
}

function facets(deps: SignalsDeps, asked: Asked, scopeId: string, taskId: string): Promise<SignalFacets> {
  return inTenant(deps, asked, async (trx) => {
    const task = { clusterId: asked.clusterId, taskId, scopeId, userId: asked.caller.userId };
    const selection = await findFacetTask(trx, task);
    if (!selection) throw notFound();
    return selectFacets(trx, asked.clusterId, selection);
  });
}

function graph(
  deps: SignalsDeps,
  asked: Asked,
  selection: SignalSelection,
  signalIds: readonly string[] | undefined,
): Promise<OutputOf<typeof signalGraphData>> {
  return inTenant(deps, asked, async (trx) => {
    const newest = { pageno: 1, pagesize: GRAPH_SIGNALS, sort: 'last_time', order: 'desc' } as const;
    const selected = signalIds
      ? await signalsById(trx, asked.clusterId, selection.scope_id, signalIds)
      : await selectSignals(trx, asked.clusterId, selection, newest);
    const total = signalIds
      ? selected.length
      : (await countViews(trx, asked.clusterId, selection))[selection.view];
    const values = [
      ...new Set(selected.flatMap((each) => [...each.suspects, ...each.targets]).map((e) => e.value)),
    ];
    const connected = await selectSignals(
      trx,
      asked.clusterId,
      {
        ...selection,
        view: 'all',
        include: [],
        exclude: [],
        addfilters: [
          { filter_condition: 'AND', filter_key: 'suspect', filter_operand: 'in', filter_value: values },
          { filter_condition: 'OR', filter_key: 'target', filter_operand: 'in', filter_value: values },
        ],
      },
      { ...newest, pagesize: GRAPH_CONNECTED },
    );
    return graphOf(selected, values.length === 0 ? [] : connected, total > selected.length);
  });
}

function falsePositive(
  deps: SignalsDeps,
  asked: Asked,
  input: {
    readonly scope_id: string;
    readonly signal_ids: readonly string[];
    readonly false_positive: boolean;
    readonly reason: string;
  },
): Promise<BulkResult> {
  return bulk(
    deps,
    asked,
    input.scope_id,
    input.signal_ids,
    {
      action: 'signal.false_positive',
      details: { false_positive: input.false_positive, reason: input.reason },
    },
    (trx, ids) =>
      setFalsePositive(trx, asked.clusterId, input.scope_id, ids, input.false_positive, {
        author: asked.caller.name,
        atMs: deps.clock.now(),
        action: input.false_positive ? 'false_positive' : 'not_false_positive',
        detail: input.reason,
      }),
  );
}

function tag(
  deps: SignalsDeps,
  asked: Asked,
  input: {
    readonly scope_id: string;
    readonly signal_ids: readonly string[];
    readonly add: readonly string[];
    readonly remove: readonly string[];
  },
): Promise<BulkResult> {
  return bulk(
    deps,
    asked,
    input.scope_id,
    input.signal_ids,
    { action: 'signal.tags', details: { add: input.add, remove: input.remove } },
    (trx, ids) =>
      changeTags(trx, asked.clusterId, input.scope_id, ids, input, {
        author: asked.caller.name,
        atMs: deps.clock.now(),
        action: 'tags',
        detail: [...input.add.map((tag) => `+${tag}`), ...input.remove.map((tag) => `-${tag}`)].join(' '),
      }),
  );
}

function tags(deps: SignalsDeps, asked: Asked, scopeId: string): Promise<SignalTag[]> {
  return inTenant(deps, asked, (trx) => tagsOf(trx, asked.clusterId, scopeId));
}

function createTag(
  deps: SignalsDeps,
  asked: Asked,
  scopeId: string,
  tag: string,
  colour: string,
): Promise<SignalTag> {
  return inTenant(deps, asked, async (trx) => {
    const author = asked.caller.name;
    const made = { clusterId: asked.clusterId, scopeId, tag, colour, author, nowMs: deps.clock.now() };
    if (!(await insertTag(trx, made))) throw new AppError('conflict', say('signals.tagExists', { tag }));
    const all = await tagsOf(trx, asked.clusterId, scopeId);
    const entry = { action: 'signal.tag.create', entity: tag, details: { colour } };
    await deps.audit.record({ ...entry, who: asked.caller, clusterId: asked.clusterId, scopeId }, trx);
    return { tag, colour, created_by: author, count: all.find((each) => each.tag === tag)?.count ?? 0 };
  });
}

function openedEntry({ caller, clusterId }: Asked, action: string, signalId: string, read: EvidenceRead) {
  const { rows, matchedBy } = read;
  const entry = readEntry(action, { clusterId, ...read }, { rows, matched_by: matchedBy });
  return { ...entry, who: caller, entity: signalId };
}
