import { sql } from 'kysely';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { type AuditFault, verifySignatures } from './sign-audit.ts';

// Walks the chain of audit entries in the engine, which wrote it: entry by entry, the hash of the stored content after
// the hash of the entry before it must be the hash that stands there, and the last must be the head.

export interface AuditVerdict {
  readonly entries: number;
  /** Number and hash of the last link, to be noted elsewhere: a chain that was written anew has another. */
  readonly head: { readonly no: number; readonly hash: string };
  /** The last entry that a good signature covers; 0 when there is none. */
  readonly signedTo: number;
  readonly faults: readonly AuditFault[];
}

/** An entry that does not follow from the one before it. */
interface Suspect {
  readonly auditId: number;
  readonly no: number;
  readonly beforeNo: number;
}

/** One is enough to distrust the trail, so the list may end. */
const MAX_SUSPECTS = 1000;
/** The search for entries that changed positions grows with the cube of their number. */
const MAX_COMPARED = 30;

async function findSuspects(postgres: Postgres): Promise<readonly Suspect[]> {
  const { rows } = await sql<Suspect>`
    with walked as (
      select e.audit_id, e.chain_no, e.entry_hash,
        lag(e.chain_no, 1, 0::bigint) over chain as before_no,
        audit_hash(lag(e.entry_hash, 1, '\\x'::bytea) over chain, e) as hash
      from audit_entry e window chain as (order by e.chain_no, e.audit_id))
    select audit_id as "auditId", chain_no as "no", before_no as "beforeNo"
    from walked where entry_hash <> hash or chain_no <> before_no + 1
    order by chain_no, audit_id limit ${MAX_SUSPECTS}`.execute(postgres.platform);
  return rows;
}

/** For suspects whose content is whole: the position in the chain that their hash was made for. */
async function positionsOf(postgres: Postgres, suspects: readonly Suspect[]): Promise<Map<number, number>> {
  const ids = suspects.slice(0, MAX_COMPARED).map((one) => one.auditId);
  const { rows } = await sql<{ auditId: number; no: number }>`
    with s as (select * from audit_entry where audit_id = any(${ids}::bigint[])),
      numbers as (select distinct chain_no from s),
      hashes as (
        select entry_hash from s union
        select entry_hash from audit_entry where chain_no in (select chain_no - 1 from s) union
        select '\\x'::bytea)
    select s.audit_id as "auditId", n.chain_no as "no"
    from s cross join numbers n cross join hashes h
    where s.entry_hash = audit_hash(h.entry_hash,
      jsonb_populate_record(s.*::audit_entry, jsonb_build_object('chain_no', n.chain_no)))`.execute(
    postgres.platform,
  );
  return new Map(rows.map((row) => [row.auditId, row.no]));
}

function faultsOf(suspects: readonly Suspect[], positions: ReadonlyMap<number, number>): AuditFault[] {
  return suspects.flatMap(({ auditId, no, beforeNo }): AuditFault[] => {
    if (no > beforeNo + 1) return [{ kind: 'removed', from: beforeNo + 1, to: no - 1 }];
    const position = positions.get(auditId);
    // Whole and at its position: suspect only because of the entry before it.
    if (position === no) return [];
    return [{ kind: position === undefined ? 'changed' : 'moved', from: no, to: no }];
  });
}

/** Whether a link that was noted earlier stands there still. */
async function hasLink(
  postgres: Postgres,
  link: { readonly no: number; readonly hash: string },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from audit_entry where chain_no = ${link.no} and entry_hash = decode(${link.hash}, 'hex')`.execute(
    postgres.platform,
  );
  return rows.length > 0;
}

/**
 * Checks every entry, that each signed end of the chain still stands where it was signed, and that a link noted earlier
 * is still there. Reads the whole trail once, in the engine.
 */
export async function verifyAudit(
  postgres: Postgres,
  secrets: SecretBox,
  noted: { readonly no: number; readonly hash: string } | null = null,
): Promise<AuditVerdict> {
  const { rows } = await sql<{
    entries: number;
    lastNo: number;
    lastHash: Buffer;
    endNo: number;
    fits: boolean;
  }>`
    select (select count(*) from audit_entry) as entries, h.last_no as "lastNo", h.last_hash as "lastHash",
      coalesce(e.chain_no, 0) as "endNo", coalesce(e.entry_hash, '\\x'::bytea) = h.last_hash as fits
    from audit_head h left join (select * from audit_entry order by chain_no desc limit 1) e on true`.execute(
    postgres.platform,
  );
  const end = rows[0];
  if (!end) throw new Error('audit_head is empty: the trail cannot be checked');
  const suspects = await findSuspects(postgres);
  const faults = faultsOf(suspects, await positionsOf(postgres, suspects));
  if (end.endNo < end.lastNo) faults.push({ kind: 'removed', from: end.endNo + 1, to: end.lastNo });
  else if (!end.fits && faults.length === 0) faults.push({ kind: 'changed', from: end.endNo, to: end.endNo });
  const signed = await verifySignatures(postgres, secrets);
  faults.push(...signed.faults);
  if (noted && !(await hasLink(postgres, noted)))
    faults.push({ kind: 'changed', from: noted.no, to: noted.no });
  const head = { no: end.lastNo, hash: end.lastHash.toString('hex') };
  return { entries: end.entries, head, signedTo: signed.to, faults };
}
