import type { ComponentItem } from '@tyrian/contract';
import { useLocation } from 'react-router';
import { scopePath } from '../../lib/scope-path.ts';
import { useSignedIn } from '../../lib/session-store.ts';

export interface ComponentScope {
  /** The tenant whose components are shown; null for those of the platform. */
  readonly tenant: string | null;
  readonly listPath: string;
  pathOf(component: Pick<ComponentItem, 'type' | 'id'>, page: 'health' | 'configure'): string;
}

/** Whether the page is one of the platform or of a tenant, and the paths beside it. */
export function useComponentScope(): ComponentScope {
  const { user } = useSignedIn();
  const isTenant = useLocation().pathname.includes('/system/components');
  const scope = { clusterId: user.clusterId, scopeId: user.scope_id };
  const base = isTenant ? '/system/components' : '/admin/components';
  return {
    tenant: isTenant ? (user.clusterId ?? '') : null,
    listPath: scopePath(scope, base),
    pathOf: ({ type, id }, page) => scopePath(scope, `${base}/${type}/${encodeURIComponent(id)}/${page}`),
  };
}
