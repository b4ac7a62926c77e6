import type { ComponentItem } from '@tyrian/contract';
import { useLocation } from 'react-router';
import { placePath } from '../../lib/place.ts';
import { useSignedIn } from '../../lib/session-store.ts';

export interface ComponentPlace {
  /** The tenant whose components are shown; null for those of the platform. */
  readonly tenant: string | null;
  readonly listPath: string;
  pathOf(component: Pick<ComponentItem, 'type' | 'id'>, page: 'health' | 'configure'): string;
}

/** Whether the page is one of the platform or of a tenant, and the paths beside it. */
export function useComponentPlace(): ComponentPlace {
  const { user } = useSignedIn();
  const isTenant = useLocation().pathname.includes('/system/components');
  const place = { clusterId: user.clusterId, scopeId: user.scope_id };
  const base = isTenant ? '/system/components' : '/admin/components';
  return {
    tenant: isTenant ? (user.clusterId ?? '') : null,
    listPath: placePath(place, base),
    pathOf: ({ type, id }, page) => placePath(place, `${base}/${type}/${encodeURIComponent(id)}/${page}`),
  };
}
