import { endSso, invalidateSession, logout } from '@tyrian/contract';
import i18next from 'i18next';
import { call } from '../../../lib/call.ts';
import { notify } from '../../../lib/notify.ts';
import { flushPreferences } from '../../../lib/preferences.ts';
import { readSession } from '../../../lib/session-store.ts';
import { clearStored, flushStorage, readStored, writeStored } from '../../../lib/storage.ts';

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
  if (why === 'logout') await flushPreferences();
  if (why !== 'logout') {
    rememberPage();
    notify('failed', i18next.t('auth:sessionExpired'));
  }
  writeStored('isInvalid', true);
  writeStored('user', undefined);
  const provider = why === 'logout' ? await signOutAddress() : null;
  await endOnServer(session?.ssid ?? null, session?.cluster?.clusterId ?? null);
  clearStored(['historyUrl']);
  await flushStorage();
  if (!session) await new Promise((resolve) => setTimeout(resolve, WITHOUT_USER_MS));
  if (provider) window.location.assign(provider);
  else window.location.hash = '/auth/login';
  ending = false;
}

/** Where to sign out at the identity provider, for whoever signed in there; null otherwise. */
async function signOutAddress(): Promise<string | null> {
  if (readStored('prefs.signedInBy') !== 'sso') return null;
  const answer = await call(endSso, { input: {}, sessionFlow: true }).catch(() => null);
  return answer?.redirect_url ?? null;
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
