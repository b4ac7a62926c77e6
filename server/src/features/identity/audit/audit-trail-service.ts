import type { AuditItem, OutputOf, verifyAuditTrail } from '@tyrian/contract';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import { csvCell } from '../../../platform/csv-cell.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { asAccessCaller } from '../sign-in/authorizer.ts';
import type { AuditService } from './audit-service.ts';
import { type AuditFilter, type AuditReach, countAuditEntries, selectAuditEntries } from './audit-store.ts';
import type { AuditVerdict } from './verify-audit.ts';

// Reading the trail. Root sees all of it, an organization administrator what the people of the organization did, a
// tenant administrator what happened in the tenant. Whoever takes it away as a file leaves an entry.

export interface AuditAsked {
  /** Half-open, epoch milliseconds; 90 days until now when absent. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly orgId?: string | undefined;
  readonly ofTenants?: boolean | undefined;
  readonly user: string;
  readonly action: string;
}

export interface AuditTrailService {
  page(
    caller: Caller,
    clusterId: string | null,
    asked: AuditAsked,
    page: { readonly pageno: number; readonly pagesize: number },
  ): Promise<{ data: AuditItem[]; total_count: number }>;
  /** Walks the whole chain; the check itself becomes an entry. */
  verify(caller: Caller, source: string): Promise<OutputOf<typeof verifyAuditTrail>>;
  /** CSV, piece by piece; `source` is the address of the caller. The entry is written before the first piece. */
  export(
    caller: Caller,
    clusterId: string | null,
    asked: AuditAsked,
    source: string,
  ): Promise<AsyncIterable<string>>;
}

const DEFAULT_DAYS = 90;
const PIECE = 2_000;
const HEADER = 'entry_no,created (UTC),source,user,action,entity,cluster_id,scope_id,orgId,details\r\n';

function reachOf(caller: Caller, clusterId: string | null): AuditReach {
  if (clusterId !== null) return { kind: 'cluster', clusterId };
  const { record } = asAccessCaller(caller);
  if (record.isRoot) return { kind: 'everything' };
  const administered = record.access.filter((entry) => entry.access_type === 'Administrator');
  return {
    kind: 'parts',
    orgId: record.isOrgAdmin ? record.orgId : null,
    clusterIds: administered.map((entry) => entry.clusterId),
  };
}

function csvLineOf(item: AuditItem): string {
  const cells = [
    item.entry_no,
    new Date(item.created).toISOString(),
    item.source,
    item.user,
    item.action,
    item.entity,
    item.cluster_id,
    item.scope_id,
    item.orgId,
    JSON.stringify(item.details),
  ];
  return `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`;
}

interface AuditTrailServiceDeps {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly verifyChain: () => Promise<AuditVerdict>;
}

export function createAuditTrailService(deps: AuditTrailServiceDeps): AuditTrailService {
  return bindDeps(deps, { page, verify, export: exportTrail });
}

function filterOf(
  { clock }: AuditTrailServiceDeps,
  caller: Caller,
  clusterId: string | null,
  asked: AuditAsked,
): AuditFilter {
  return {
    reach: reachOf(caller, clusterId),
    from: asked.from ?? clock.now() - DEFAULT_DAYS * 86_400_000,
    to: asked.to ?? clock.now() + 1,
    orgId: asked.orgId ?? null,
    ofTenants: asked.ofTenants ?? null,
    user: asked.user,
    action: asked.action,
  };
}

async function* pieces(deps: AuditTrailServiceDeps, filter: AuditFilter) {
  yield HEADER;
  let beforeNo: number | undefined;
  for (;;) {
    const page = { limit: PIECE, offset: 0, ...(beforeNo === undefined ? {} : { beforeNo }) };
    const items = await selectAuditEntries(deps.db, filter, page);
    if (items.length > 0) yield items.map(csvLineOf).join('');
    if (items.length < PIECE) return;
    beforeNo = items.at(-1)?.entry_no;
  }
}

async function page(
  deps: AuditTrailServiceDeps,
  caller: Caller,
  clusterId: string | null,
  asked: AuditAsked,
  { pageno, pagesize }: { readonly pageno: number; readonly pagesize: number },
): Promise<{ data: AuditItem[]; total_count: number }> {
  const filter = filterOf(deps, caller, clusterId, asked);
  const offset = (pageno - 1) * pagesize;
  const data = await selectAuditEntries(deps.db, filter, { limit: pagesize, offset });
  return { data, total_count: await countAuditEntries(deps.db, filter) };
}

async function verify(
  deps: AuditTrailServiceDeps,
  caller: Caller,
  source: string,
): Promise<OutputOf<typeof verifyAuditTrail>> {
  const verdict = await deps.verifyChain();
  const { entries, head, signedTo, faults } = verdict;
  await deps.audit.record({
    action: 'audit.verify',
    who: caller,
    source,
    details: { entries, faults: faults.length },
  });
  return { entries, head, signed_to: signedTo, faults: [...faults], checked: deps.clock.now() };
}

async function exportTrail(
  deps: AuditTrailServiceDeps,
  caller: Caller,
  clusterId: string | null,
  asked: AuditAsked,
  source: string,
): Promise<AsyncIterable<string>> {
  await deps.audit.record({
    action: 'audit.export',
    who: caller,
    source,
    ...(clusterId === null ? {} : { clusterId }),
    details: { ...asked },
  });
  return pieces(deps, filterOf(deps, caller, clusterId, asked));
}
