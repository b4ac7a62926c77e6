import {
  type ContentUpdate,
  type ContentUpdateDetail,
  codedText,
  type decideContentUpdates,
  type listContentUpdates,
  type OutputOf,
  type ShippedPolicy,
  say,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';

// Updates of content from the features that own it, as one list, and what people decide about them.

export interface ContentScope {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly scopeId: string;
}

type Decide = (scope: ContentScope, ids: readonly string[], take: boolean) => Promise<void>;
type Read = (scope: ContentScope, id: string) => Promise<ContentUpdateDetail>;

/** Few updates, listed at once. */
export interface ShortUpdates {
  list(
    scope: ContentScope,
    filter: { readonly state: ContentUpdate['state'] },
  ): Promise<readonly ContentUpdate[]>;
  readonly read: Read;
  readonly decide: Decide;
}

/** Perhaps thousands, listed by pages. */
export interface PagedUpdates {
  page(
    scope: ContentScope,
    page: { readonly state: ContentUpdate['state']; readonly offset: number; readonly limit: number },
  ): Promise<{ readonly updates: readonly ContentUpdate[]; readonly total: number }>;
  readonly read: Read;
  readonly decide: Decide;
}

export interface UpdatesDeps {
  readonly workbook: ShortUpdates & {
    policy(clusterId: string): Promise<ShippedPolicy>;
    setPolicy(scope: ContentScope, policy: ShippedPolicy): Promise<void>;
  };
  readonly copy: ShortUpdates;
  readonly rule: PagedUpdates;
}

interface ServiceDeps extends UpdatesDeps {
  readonly audit: AuditService;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;
type Kind = ContentUpdate['kind'];

export type UpdatesService = ReturnType<typeof createUpdatesService>;

/** Updates that are decided in one transaction. */
const AT_ONCE = 250;
/** Of one decision, for all that are open. */
const MOST = 20_000;

export function createUpdatesService(deps: ServiceDeps) {
  return bindDeps(deps, { list, read, decide, setPolicy });
}

async function list(
  deps: ServiceDeps,
  scope: ContentScope,
  input: Omit<Parsed<typeof listContentUpdates>, 'scope_id'>,
): Promise<OutputOf<typeof listContentUpdates>> {
  const { state, kind, pageno, pagesize } = input;
  const wants = (one: Kind) => kind === undefined || kind === one;
  const short = [
    ...(wants('workbook') ? await deps.workbook.list(scope, { state }) : []),
    ...(wants('copy') ? await deps.copy.list(scope, { state }) : []),
  ];
  const from = (pageno - 1) * pagesize;
  const head = short.slice(from, from + pagesize);
  const offset = Math.max(0, from - short.length);
  const rest = wants('rule')
    ? await deps.rule.page(scope, { state, offset, limit: pagesize - head.length })
    : { updates: [], total: 0 };
  return {
    data: [...head, ...rest.updates],
    total_count: short.length + rest.total,
    policy: await deps.workbook.policy(scope.clusterId),
  };
}

const splitId = (updateId: string): { readonly kind: Kind; readonly id: string } => {
  const at = updateId.indexOf(':');
  return { kind: updateId.slice(0, at) as Kind, id: updateId.slice(at + 1) };
};

function read(deps: ServiceDeps, scope: ContentScope, updateId: string): Promise<ContentUpdateDetail> {
  const { kind, id } = splitId(updateId);
  return deps[kind].read(scope, id);
}

async function openOnes(
  deps: ServiceDeps,
  scope: ContentScope,
  kind: Kind | undefined,
): Promise<readonly string[]> {
  const page = { state: 'open', ...(kind ? { kind } : {}), pageno: 1, pagesize: MOST } as const;
  return (await list(deps, scope, page)).data.map(({ update_id }) => update_id);
}

async function decide(
  deps: ServiceDeps,
  scope: ContentScope,
  input: Parsed<typeof decideContentUpdates>,
  signal: AbortSignal,
): Promise<OutputOf<typeof decideContentUpdates>> {
  const ids = input.update_ids ?? (await openOnes(deps, scope, input.kind));
  const failed: OutputOf<typeof decideContentUpdates>['failed'] = [];
  let done = 0;
  for (const kind of ['workbook', 'copy', 'rule'] as const) {
    const ofKind = [...new Set(ids)].map(splitId).filter((one) => one.kind === kind);
    for (let from = 0; from < ofKind.length; from += AT_ONCE) {
      signal.throwIfAborted();
      const batch = ofKind.slice(from, from + AT_ONCE).map(({ id }) => id);
      const wrong = await decideBatch(deps[kind].decide, scope, batch, input.take);
      failed.push(...wrong.map(({ id, ...said }) => ({ update_id: `${kind}:${id}`, ...said })));
      done += batch.length - wrong.length;
    }
  }
  if (ids.length === 1 && failed.length === 1) throw new AppError('not-found', say('content.noUpdate'));
  if (done === 0) {
    // What nobody decided leaves its entry here.
    const { caller, clusterId, scopeId } = scope;
    const action = input.take ? 'content.update.take' : 'content.update.decline';
    const details = { updates: 0, failed: failed.length };
    await deps.audit.record({ action, who: caller, clusterId, scopeId, entity: 'updates', details });
  }
  return { done, failed };
}

/** A batch as a whole; where it is refused, each by itself, so that one that is gone holds nobody up. */
async function decideBatch(
  decideAll: Decide,
  scope: ContentScope,
  ids: readonly string[],
  take: boolean,
): Promise<readonly ({ readonly id: string } & ReturnType<typeof codedText>)[]> {
  try {
    await decideAll(scope, ids, take);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (ids.length === 1)
      return ids.map((id) => ({
        id,
        ...codedText(error.kind === 'not-found' ? say('content.noUpdate') : error.said),
      }));
  }
  const failed: ({ readonly id: string } & ReturnType<typeof codedText>)[] = [];
  for (const id of ids) failed.push(...(await decideBatch(decideAll, scope, [id], take)));
  return failed;
}

async function setPolicy(
  deps: ServiceDeps,
  scope: ContentScope,
  shipped: ShippedPolicy,
): Promise<{ readonly shipped: ShippedPolicy }> {
  await deps.workbook.setPolicy(scope, shipped);
  return { shipped };
}
