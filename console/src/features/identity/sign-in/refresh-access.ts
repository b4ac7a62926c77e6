import { accessDetails } from '@tyrian/contract';
import i18next from 'i18next';
import { CallError, call } from '../../../lib/call.ts';
import { notify } from '../../../lib/notify.ts';
import { goAndReload } from '../../../lib/page-reload.ts';
import { readSession, type Session } from '../../../lib/session-store.ts';
import { endSession } from './end-session.ts';
import { establishSession } from './establish-session.ts';

// A call was refused for lack of a right: read the rights again. Unchanged rights mean that the refusal stands;
// changed ones take effect with a reload; a refusal here ends the session.

let running = false;

export async function refreshAccess(): Promise<void> {
  const before = readSession();
  if (running || !before) return;
  running = true;
  notify('failed', i18next.t('app:noRights'));
  try {
    const after = await readAccess(before);
    if (JSON.stringify(after.access) !== JSON.stringify(before.access)) await goAndReload('/');
  } catch (error) {
    const kind = error instanceof CallError ? error.kind : 'failed';
    if (kind === 'invalid-session' || kind === 'not-authorised') await endSession('access');
    else notify('failed', i18next.t('auth:connectionsFailed'));
  } finally {
    running = false;
  }
}

/** Reads and stores the rights anew, at the same place where it is still there. */
export async function readAccess(before: Session): Promise<Session> {
  const record = await call(accessDetails, { input: {}, sessionFlow: true });
  const scope = { clusterId: before.user.clusterId, scopeId: before.user.scope_id };
  return establishSession({ ...record, SSID: before.ssid }, scope);
}
