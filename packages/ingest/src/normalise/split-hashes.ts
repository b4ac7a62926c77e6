import type { DecodedEvent } from '../event-row.ts';
import { lookupTable } from './lookup-table.ts';

const HASH_COLUMNS = lookupTable<string>({
  MD5: 'FileHashMd5',
  SHA1: 'FileHashSha1',
  SHA256: 'FileHashSha256',
  IMPHASH: 'FileHashImphash',
});

/** Spreads Sysmon's `SHA1=…,MD5=…` over the hash columns, in lower case; the column `Hashes` keeps the text. */
export function splitHashes(event: DecodedEvent): void {
  const all = event.columns.Hashes;
  if (typeof all !== 'string') return;
  for (const part of all.split(',')) {
    const at = part.indexOf('=');
    if (at < 0) continue;
    const column = HASH_COLUMNS[part.slice(0, at).trim().toUpperCase()];
    if (column !== undefined) event.columns[column] = part.slice(at + 1).toLowerCase();
  }
}
