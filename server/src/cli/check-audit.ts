import { prepareDataFolder } from '../engines/data-folder.ts';
import { verifyAudit } from '../features/identity/audit/verify-audit.ts';
import type { Config } from '../platform/config.ts';
import { secretBoxOf } from '../platform/secret-box.ts';
import { UsageError } from './command.ts';
import { withRecords } from './open-records.ts';
import { CHECKOUT } from './serve-command.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** `NUMBER:HASH` as an earlier check printed it. */
function readLink(text: string | undefined): { no: number; hash: string } | null {
  if (text === undefined) return null;
  const [, no, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (no === undefined || hash === undefined)
    throw new UsageError('--expect: give NUMBER:HASH as a check printed it');
  return { no: Number(no), hash };
}

/** Checks the audit trail and says what it found. Answers the exit code: 0 when the trail is whole, else 1. */
export async function checkAudit(config: Config, expect: string | undefined): Promise<number> {
  const expected = readLink(expect);
  const secrets = secretBoxOf({ config, dataFolder: prepareDataFolder(config.dataFolder, CHECKOUT) });
  const verdict = await withRecords(config, (postgres) => verifyAudit(postgres, secrets, expected));
  for (const fault of verdict.faults) {
    const where = fault.from === fault.to ? `entry ${fault.from}` : `entries ${fault.from} to ${fault.to}`;
    say(`Audit trail: ${where} ${fault.kind}`);
  }
  const { entries, head, signedTo, faults } = verdict;
  say(`Audit trail: ${entries} entries, ${faults.length === 0 ? 'the chain is whole' : 'NOT to be trusted'}`);
  if (head.no > 0) say(`End of the chain: ${head.no}:${head.hash}`);
  say(signedTo === 0 ? 'No entry is signed yet' : `Signed up to entry ${signedTo}`);
  return faults.length === 0 ? 0 : 1;
}
