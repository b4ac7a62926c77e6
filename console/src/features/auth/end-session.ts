import { invalidateSession, logout } from '@tyrian/contract';
import i18next from 'i18next';
import { call } from '../../lib/call.ts';
import { notify } from '../../lib/notify.ts';
import { readSession } from '../../lib/session-store.ts';
import { clearStored, flushStorage, writeStored } from '../../lib/storage.ts';

// Session end, by logout or because the server says so: the server session is ended, everything stored is
// cleared except the page to come back to, and the sign-in page opens. Section 4 of the specification.

/** `logout`: asked for; `expired`: the server refused the session; `access`: rights could not be refreshed. */
export type SessionEnd = 'logout' | 'expired' | 'access';

const WITHOUT_USER_MS = 100;
let ending = false;

export async function endSession(why: SessionEnd): Promise<void> {
  if (ending) return;
  ending = true;
  const session = readSession();
  if (why !== 'logout') {
    rememberPage();
    notify('failed', i18next.t('auth:sessionExpired'));
  }
  writeStored('isInvalid', true);
  writeStored('user', undefined);
  await endOnServer(session?.ssid ?? null, session?.cluster?.clusterId ?? null);
  clearStored(['historyUrl']);
  await flushStorage();
  if (!session) await new Promise((resolve) => setTimeout(resolve, WITHOUT_USER_MS));
  window.location.hash = '/auth/login';
  ending = false;
}

async function endOnServer(ssid: string | null, clusterId: string | null): Promise<void> {
  if (!ssid) return;
  const quietly = (work: Promise<unknown>) => work.catch(() => undefined);
  if (clusterId)
    await quietly(call(invalidateSession, { params: { clusterId }, input: {}, sessionFlow: true }));
  await quietly(call(logout, { input: { ssid }, sessionFlow: true }));
}

function rememberPage(): void {
  const path = window.location.hash.slice(1);
  if (path && !path.startsWith('/auth/')) writeStored('historyUrl', path);
}
