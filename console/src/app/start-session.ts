import { endSession } from '../features/identity/sign-in/end-session.ts';
import { resetStaleStorage } from '../features/identity/sign-in/establish-session.ts';
import { openAgreements } from '../features/identity/sign-in/open-agreements.ts';
import { refreshAccess } from '../features/identity/sign-in/refresh-access.ts';
import { APP_VERSION } from '../lib/app-version.ts';
import { configureCalls } from '../lib/call.ts';
import { readStored } from '../lib/storage.ts';

/** Clears storage of another version and tells the client where the session is and what ends it. */
export function startSession(): void {
  resetStaleStorage(APP_VERSION);
  configureCalls({
    ssid: () => readStored<string>('ssid') ?? null,
    onInvalid: () => void endSession('expired'),
    onNotAuthorised: () => void refreshAccess(),
    onAgreementsDue: () => void openAgreements(),
  });
}
