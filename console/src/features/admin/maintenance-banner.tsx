import { useQuery } from '@tanstack/react-query';
import { readBanner } from '@tyrian/contract';
import { useSignedIn } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import classes from './maintenance-banner.module.css';

const LOOK_AGAIN_MS = 60_000;

/** The line that root has set for the cluster or for all, above every page. */
export function MaintenanceBanner() {
  const { user } = useSignedIn();
  const input = user.clusterId === null ? {} : { clusterId: user.clusterId };
  const banner = useQuery(callQuery(readBanner, input, { every: LOOK_AGAIN_MS, quiet: true }));
  if (!banner.data?.text) return null;
  return (
    <div role="status" className={classes.banner}>
      {banner.data.text}
    </div>
  );
}
