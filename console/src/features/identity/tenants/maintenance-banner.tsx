import { useQuery } from '@tanstack/react-query';
import { ALL_ROOTS, type RoleTag, readBanner } from '@tyrian/contract';
import { useSignedIn } from '../../../lib/session-store.ts';
import { callQuery } from '../../../lib/use-call.ts';
import classes from './maintenance-banner.module.css';

const LOOK_AGAIN_MS = 60_000;

const isRoot = (tags: readonly RoleTag[]) => tags.some((tag) => ALL_ROOTS.includes(tag));

/**
 * The line that root has set for the cluster or for all, above every page. Whoever only knows that a cluster exists,
 * as administrators of an organization do, is not told its line: they are shown the one for all.
 */
export function MaintenanceBanner() {
  const { cluster, tags } = useSignedIn();
  const isReached = cluster && (isRoot(tags) || cluster.access_type !== 'No Access');
  const input = isReached ? { clusterId: cluster.clusterId } : {};
  const banner = useQuery(callQuery(readBanner, input, { every: LOOK_AGAIN_MS, quiet: true }));
  if (!banner.data?.text) return null;
  return (
    <div role="status" className={classes.banner}>
      {banner.data.text}
    </div>
  );
}
