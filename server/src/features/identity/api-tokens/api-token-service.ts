import { randomBytes } from 'node:crypto';
import { type ApiToken, type Capability, capabilityOf, say, type UserAccess } from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/new-id.ts';
import type { ScopeRef } from '../../../platform/scope-ref.ts';
import type { SourceService } from '../../sources/source-service.ts';
import type { AuditService } from '../audit/audit-service.ts';
import { type AccessCaller, callerFrom } from '../sign-in/access-caller.ts';
import { isViolation } from '../users/pg-violation.ts';
import { type ApiTokenRow, type ApiTokenStore, type FoundToken, hashToken } from './api-token-store.ts';

// Tokens for programs. A token is one scope, some capabilities and an end; what its maker may no longer do, it may no
// longer do either, from the next call on. Ingest tokens are those of HTTP sources, shown here beside the others.

const TOKEN_START = 'tyr_api_';
const PREFIX_LENGTH = 14;
const DAY_MS = 86_400_000;
/** Use is written down at most so often. */
const TOUCH_MS = 60_000;
const MAX_PER_SCOPE = 200;

export interface NewToken {
  readonly app_name: string;
  readonly description: string;
  readonly capabilities: readonly Capability[];
  readonly days: number;
}

export interface ApiTokenService {
  list(scope: ScopeRef): Promise<ApiToken[]>;
  create(
    caller: Caller,
    scope: ScopeRef,
    wanted: NewToken,
    source: string,
  ): Promise<{ token: string; item: ApiToken }>;
  remove(caller: Caller, scope: ScopeRef, tokenId: string, source: string): Promise<void>;
  /** The caller that a token is for a call, its scope alone; null when it is none, or not for this call. */
  findCaller(token: string, endpointName: string, address: string): Promise<AccessCaller | null>;
}

export interface ApiTokenDeps {
  readonly store: ApiTokenStore;
  readonly sources: Pick<SourceService, 'create' | 'revoke' | 'status'>;
  readonly audit: AuditService;
  readonly clock: Clock;
  /** What a user may reach now. */
  readonly accessOf: (userId: string) => Promise<UserAccess>;
}

const itemOf = (row: ApiTokenRow): ApiToken => ({
  token_id: row.token_id,
  app_name: row.app_name,
  description: row.description,
  scope_id: row.scope_id,
  capabilities: row.capabilities,
  prefix: row.prefix,
  created: row.created_at,
  created_by: row.created_by,
  expires: row.expires_at,
  last_used: row.last_used_at,
  last_address: row.last_address,
});

/** A source of events as the token that it is. */
function sourceItem(source: Awaited<ReturnType<SourceService['create']>>['source']): ApiToken {
  return {
    token_id: source.source_id,
    app_name: source.source_name,
    description: '',
    scope_id: source.scope_id,
    capabilities: ['ingest'],
    prefix: source.token_prefix ?? '',
    created: source.created_ms,
    created_by: source.created_by,
    expires: null,
    last_used: null,
    last_address: null,
  };
}

/** The rights of the maker, narrowed to one scope and without any of administration. */
function narrowed(record: UserAccess, scopeRef: ScopeRef): UserAccess {
  const access = record.access
    .filter((entry) => entry.clusterId === scopeRef.clusterId && entry.access_type !== 'No Access')
    .map((entry) => ({
      ...entry,
      access_type: 'Custom' as const,
      scope_access: entry.scope_access.filter((scope) => scope.scope_id === scopeRef.scopeId),
    }));
  const plain = { isRoot: false, isRootViewer: false, isOrgAdmin: false, isAdmin: false };
  return { ...record, ...plain, userType: 'general', SSID: '', access };
}

/** A token that is known and was refused, in the trail of its tenant. Equal ones within a minute are counted. */
function noteRefused(
  audit: AuditService,
  row: FoundToken,
  source: string,
  details: { readonly reason: string; readonly call: string },
): Promise<void> {
  return audit.recordOften({
    action: 'token.refused',
    who: null,
    claimedName: row.app_name,
    source,
    orgId: row.org_id,
    clusterId: row.cluster_id,
    scopeId: row.scope_id,
    entity: row.app_name,
    details,
  });
}

export function createApiTokenService(deps: ApiTokenDeps): ApiTokenService {
  return bindDeps(deps, { list, create, remove, findCaller });
}

async function createForIngest(
  deps: ApiTokenDeps,
  caller: Caller,
  scope: ScopeRef,
  wanted: NewToken,
  address: string,
) {
  const { source, token } = await deps.sources.create({
    ...scope,
    name: wanted.app_name,
    kind: 'http',
    networks: [],
    by: caller,
    address,
  });
  if (token === null) throw new Error('an HTTP source has no token');
  return { token, item: sourceItem(source) };
}

async function list({ store, sources }: ApiTokenDeps, scope: ScopeRef): Promise<ApiToken[]> {
  const own = (await store.list(scope)).map(itemOf);
  const senders = (await sources.status(scope.clusterId, scope.scopeId))
    .filter((source) => source.kind === 'http' && source.revoked_ms === null)
    .map((source) => ({ ...sourceItem(source), last_used: source.last_event_ms }));
  return [...own, ...senders].sort((a, b) => b.created - a.created);
}

async function create(
  deps: ApiTokenDeps,
  caller: Caller,
  scope: ScopeRef,
  wanted: NewToken,
  source: string,
): Promise<{ token: string; item: ApiToken }> {
  if (wanted.capabilities.includes('ingest')) return createForIngest(deps, caller, scope, wanted, source);
  const token = TOKEN_START + randomBytes(32).toString('base64url');
  const now = deps.clock.now();
  const row: ApiTokenRow = {
    token_id: newId(),
    cluster_id: scope.clusterId,
    scope_id: scope.scopeId,
    user_id: caller.userId,
    created_by: caller.name,
    app_name: wanted.app_name,
    description: wanted.description,
    capabilities: [...new Set(wanted.capabilities)],
    token_hash: hashToken(token),
    prefix: token.slice(0, PREFIX_LENGTH),
    created_at: now,
    expires_at: now + wanted.days * DAY_MS,
    last_used_at: null,
    last_address: null,
  };
  const details = { capabilities: row.capabilities, expires: row.expires_at };
  const what = { action: 'token.create', entity: row.app_name, details };
  try {
    const added = await deps.store.add(row, MAX_PER_SCOPE, (trx) =>
      deps.audit.record({ ...what, who: caller, source, ...scope }, trx),
    );
    if (!added) {
      throw new AppError('conflict', say('tokens.tooMany', { most: MAX_PER_SCOPE }));
    }
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw new AppError('conflict', say('tokens.exists', { name: wanted.app_name }), {
        field: 'app_name',
      });
    }
    throw error;
  }
  return { token, item: itemOf(row) };
}

async function remove(
  { store, audit, sources }: ApiTokenDeps,
  caller: Caller,
  scope: ScopeRef,
  tokenId: string,
  source: string,
): Promise<void> {
  const what = { action: 'token.delete', who: caller, source, ...scope };
  const row = await store.remove(scope, tokenId, (trx, { app_name }) =>
    audit.record({ ...what, entity: app_name }, trx),
  );
  if (!row) await sources.revoke(scope.clusterId, scope.scopeId, tokenId, caller, source);
}

async function findCaller(
  deps: ApiTokenDeps,
  token: string,
  endpointName: string,
  address: string,
): Promise<AccessCaller | null> {
  const { store, clock, audit } = deps;
  if (!token.startsWith(TOKEN_START) || token.length > 256) return null;
  const row = await store.find(token);
  const now = clock.now();
  if (!row) return null;
  const refuse = (reason: string) => noteRefused(audit, row, address, { reason, call: endpointName });
  if (!row.is_enabled || row.expires_at <= now) {
    await refuse(row.is_enabled ? 'expired' : 'disabled');
    return null;
  }
  const capability = capabilityOf(endpointName);
  if (capability === null || !row.capabilities.includes(capability)) {
    await refuse('no capability');
    throw new AppError('not-authorised', say('session.tokenWithoutCapability'));
  }
  if (now - (row.last_used_at ?? 0) >= TOUCH_MS) await store.touch(row.token_id, now, address);
  const record = await deps.accessOf(row.user_id);
  return callerFrom(narrowed(record, { clusterId: row.cluster_id, scopeId: row.scope_id }));
}
