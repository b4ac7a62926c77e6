import { sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { type Job, UNTIL_DONE } from '../../../platform/jobs/job.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';

// The chain of audit entries can be written anew by whoever may write the database. Its end is therefore signed every
// hour with the key of the installation, which is not in the database, and told to the log, which is kept elsewhere.

export interface AuditFault {
  /** `forged`: a signature that was not made with the key of this installation. */
  readonly kind: 'changed' | 'removed' | 'moved' | 'forged';
  /** First and last position in the chain that it concerns. */
  readonly from: number;
  readonly to: number;
}

interface SigningDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly log: Logger;
}

const signatureOf = (secrets: SecretBox, no: number, hash: Buffer, signedMs: number): Buffer =>
  secrets.sign(`${no}:${hash.toString('hex')}:${signedMs}`, 'audit trail');

/** Signs the end of the chain; answers 0 when it is signed already, else 1. Several processes may do so at once. */
export async function signAudit({ postgres, clock, secrets, log }: SigningDeps): Promise<number> {
  const { rows } = await sql<{ no: number; hash: Buffer }>`
    select h.last_no as no, h.last_hash as hash from audit_head h
    where h.last_no > coalesce((select max(chain_no) from audit_signature), 0)`.execute(postgres.platform);
  const end = rows[0];
  if (!end) return 0;
  const now = clock.now();
  const signature = signatureOf(secrets, end.no, end.hash, now);
  await sql`insert into audit_signature (chain_no, entry_hash, signed_at, signature)
    values (${end.no}, ${end.hash}, ${timestamp(now)}, ${signature}) on conflict do nothing`.execute(
    postgres.platform,
  );
  const told = { entry: end.no, hash: end.hash.toString('hex'), signature: signature.toString('hex') };
  log.info(told, 'the end of the audit trail is signed');
  return 1;
}

/** Whether every signed entry stands where it was signed, by signatures that only the key can have made. */
export async function verifySignatures(
  postgres: Postgres,
  secrets: SecretBox,
): Promise<{ readonly to: number; readonly faults: readonly AuditFault[] }> {
  const { rows } = await sql<{
    no: number;
    hash: Buffer;
    signedMs: number;
    signature: Buffer;
    stands: boolean;
  }>`
    select s.chain_no as no, s.entry_hash as hash, s.signed_at as "signedMs", s.signature,
      coalesce(e.entry_hash = s.entry_hash, false) as stands
    from audit_signature s left join audit_entry e on e.chain_no = s.chain_no
    order by s.chain_no`.execute(postgres.platform);
  const faults: AuditFault[] = [];
  let to = 0;
  for (const { no, hash, signedMs, signature, stands } of rows) {
    const isOurs = signature.equals(signatureOf(secrets, no, hash, signedMs));
    if (!isOurs) faults.push({ kind: 'forged', from: no, to: no });
    else if (!stands) faults.push({ kind: 'changed', from: no, to: no });
    else to = no;
  }
  return { to, faults };
}

/** Signs every hour. */
export function auditSigning(deps: SigningDeps): Job<object> {
  return {
    kind: 'audit-signing',
    payload: z.object({}),
    slotsPerTenant: 1,
    retry: UNTIL_DONE,
    schedule: '0 * * * *',
    run: () => signAudit(deps),
  };
}
