import {
  type AccessEntry,
  highestRole,
  type RoleFacts,
  type RoleTag,
  roleTags,
  type UserAccess,
} from '@tyrian/contract';
import type { Caller } from '../../../platform/http/caller.ts';

// What an access record allows, worked out once per call. Pure: the same record always gives the same rights.

/** A caller with the record that the rights come from. */
export interface AccessCaller extends Caller {
  readonly record: UserAccess;
  /** The cluster as the caller may reach it; undefined when it does not exist for the caller. */
  entryAt(clusterId: string): AccessEntry | undefined;
  /** The rights held anywhere on the platform. */
  tagsAnywhere(): readonly RoleTag[];
}

function factsAt(record: UserAccess, entry: AccessEntry | undefined, scopeId?: string): RoleFacts {
  const scopes = entry?.access_type === 'No Access' ? [] : (entry?.scope_access ?? []);
  const enabled = scopes.filter((scope) => scope.is_enabled && (!scopeId || scope.scope_id === scopeId));
  return {
    isRoot: record.isRoot,
    isRootViewer: record.isRootViewer,
    isOrgAdmin: record.isOrgAdmin,
    isContentManager: record.userType === 'content_manager',
    tenantCount: record.access.length,
    isTenantAdmin: entry?.access_type === 'Administrator',
    scopeRole: enabled.length === 0 ? null : highestRole(enabled.map((scope) => scope.role)),
  };
}

/** The caller that an access record describes. */
export function callerFrom(record: UserAccess): AccessCaller {
  const entries = new Map(record.access.map((entry) => [entry.clusterId, entry]));
  const tagsAt = (clusterId: string, scopeId?: string) =>
    roleTags(factsAt(record, entries.get(clusterId), scopeId));
  return {
    userId: record.user_id,
    name: record.name,
    email: record.email_id,
    ssid: record.SSID,
    record,
    entryAt: (clusterId) => {
      const entry = entries.get(clusterId);
      return entry && (record.isRoot || entry.access_type !== 'No Access') ? entry : undefined;
    },
    tagsAt,
    tagsAnywhere: () => [
      ...new Set([
        ...roleTags(factsAt(record, undefined)),
        ...record.access.flatMap((one) => tagsAt(one.clusterId)),
      ]),
    ],
    scopesWith: (clusterId, tags) =>
      (entries.get(clusterId)?.scope_access ?? [])
        .filter((scope) => scope.is_enabled)
        .map((scope) => scope.scope_id)
        .filter((scopeId) => tagsAt(clusterId, scopeId).some((tag) => tags.includes(tag))),
  };
}
