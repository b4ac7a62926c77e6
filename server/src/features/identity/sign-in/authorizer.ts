import {
  type Access,
  agreementsDue,
  type ProductType,
  type RoleTag,
  say,
  sayOfField,
} from '@tyrian/contract';
import { AppError, notAuthorised } from '../../../platform/app-error.ts';
import type { Authorizer, Caller, RequestedScopes, SessionUse } from '../../../platform/http/caller.ts';
import type { AccessCaller } from './access-caller.ts';

// The one function where a call is allowed or refused. A cluster or scope that does not exist, belongs to
// somebody else, is disabled or gives no role: all are answered with the same words, so that no refusal
// tells which it was.

type RoleAccess = Extract<Access, { kind: 'roles' }>;

const holds = (tags: readonly RoleTag[], access: RoleAccess) => tags.some((tag) => access.tags.includes(tag));

function checkCluster(caller: AccessCaller, access: RoleAccess, clusterId: string | undefined): string {
  const entry = clusterId === undefined ? undefined : caller.entryAt(clusterId);
  if (!entry) throw notAuthorised();
  const types: readonly ProductType[] | undefined = access.productTypes;
  if (types && !types.includes(entry.productType)) throw notAuthorised();
  return entry.clusterId;
}

function checkScopes(
  caller: AccessCaller,
  access: RoleAccess,
  clusterId: string,
  scopeIds: readonly string[],
) {
  if (scopeIds.length === 0)
    throw new AppError('bad-input', sayOfField('scope_id', say('reasons.scopeMissing')));
  const usable = new Set(caller.scopesWith(clusterId, access.tags));
  if (!scopeIds.every((scopeId) => usable.has(scopeId))) throw notAuthorised();
}

/**
 * Throws while the person of a session has not accepted the agreements in force, whatever the call and whoever they
 * are. A program's token was made by somebody who had, and has nobody to ask.
 */
function checkAgreements(caller: AccessCaller, access: Access): void {
  if (caller.ssid === '' || (access.kind === 'session' && access.beforeAgreements)) return;
  const due = agreementsDue(caller.record);
  if (due.length > 0) throw new AppError('agreements-due', say('session.agreementsDue'), { due });
}

/** Throws unless the caller may make a call with this access in these scopes. */
function checkAccess(caller: AccessCaller, access: Access, requested: RequestedScopes): void {
  if (access.kind !== 'roles') return;
  if (access.in === 'platform') {
    if (!holds(caller.tagsAnywhere(), access)) throw notAuthorised();
    return;
  }
  const clusterId = checkCluster(caller, access, requested.clusterId);
  if (access.in === 'scope') {
    checkScopes(caller, access, clusterId, requested.scopeIds);
    return;
  }
  if (!holds(caller.tagsAt(clusterId), access)) throw notAuthorised();
  // A call that is about a cluster and names scopes all the same may name only those within reach.
  if (
    requested.scopeIds.length > 0 &&
    !requested.scopeIds.every((scopeId) => reaches(caller, clusterId, scopeId))
  ) {
    throw notAuthorised();
  }
}

function reaches(caller: AccessCaller, clusterId: string, scopeId: string): boolean {
  const entry = caller.entryAt(clusterId);
  const scope = entry?.scope_access.find((one) => one.scope_id === scopeId);
  const administers = caller.record.isRoot || entry?.access_type === 'Administrator';
  return scope !== undefined && (administers || (scope.is_enabled && scope.role !== 'No Access'));
}

/** The authorizer over a way to find the caller of a session. */
export function createAuthorizer(
  findCaller: (ssid: string, how?: SessionUse) => Promise<AccessCaller | null>,
): Authorizer {
  return {
    authenticate: findCaller,
    authorize: async (caller: Caller, access, requested) => {
      const known = asAccessCaller(caller);
      checkAgreements(known, access);
      checkAccess(known, access, requested);
    },
  };
}

/** The caller with its record. Throws when it did not come from this authorizer. */
export function asAccessCaller(caller: Caller): AccessCaller {
  if (!('record' in caller)) throw new Error('the caller was not made by the authorizer');
  return caller as AccessCaller;
}
