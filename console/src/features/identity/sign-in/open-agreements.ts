import { readSession } from '../../../lib/session-store.ts';
import { writeStored } from '../../../lib/storage.ts';
import { agreementPath, openAgreement } from './agreement-path.ts';
import { readAccess } from './refresh-access.ts';

// A call was refused because an agreement came into force that the user has not accepted: the record is read again, and
// the page of the agreement opens. Afterwards the present page comes back.

let running = false;

export async function openAgreements(): Promise<void> {
  const before = readSession();
  if (running || !before || openAgreement(before)) return;
  running = true;
  try {
    const after = await readAccess(before);
    const due = openAgreement(after);
    if (!due) return;
    writeStored('acceptPath', window.location.hash.slice(1));
    window.location.hash = agreementPath(after, due);
  } catch {
    // Told by the call itself, which is refused again at the next attempt.
  } finally {
    running = false;
  }
}
