import {
  type CaseAction,
  type CaseHistoryEntry,
  type CaseNote,
  escapeNote,
  type Resolution,
  readStoredText,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { CaseActor, CaseDb, CaseRow } from './case-tables.ts';

// Notes and history: what was said about a case and what was done to it. Both only grow.

export interface NoteToAdd {
  /** Escaped; see case-notes.ts of the contract. A system note: by code, or escaped. */
  readonly notes: string;
  readonly author: string;
  readonly authorId: string | null;
  readonly kind: CaseNote['kind'];
  readonly tags: readonly string[];
}

interface NoteRow {
  case_id: string;
  note_id: number;
  notes: string;
  author: string;
  created_at: number;
  tag_list: string[];
  kind: CaseNote['kind'];
}

const noteOf = (row: NoteRow): CaseNote => ({
  note_id: String(row.note_id),
  ...(row.kind === 'system' ? systemTextOf(row.notes) : { notes: row.notes }),
  author: row.author,
  cnam_time: row.created_at,
  tag_list: row.tag_list,
  kind: row.kind,
});

/** A system note is stored by its code; those of older versions, and names, are escaped text. */
function systemTextOf(stored: string): Pick<CaseNote, 'notes' | 'messageCode' | 'messageValues'> {
  const { message, ...code } = readStoredText(stored);
  return code.messageCode === undefined ? { notes: stored } : { notes: escapeNote(message), ...code };
}

/** Adds notes in order and counts them in the case, without a new revision: a note is no edit. */
export async function insertNotes(
  db: CaseDb,
  row: CaseRow,
  notes: readonly NoteToAdd[],
  now: number,
): Promise<CaseNote[]> {
  const added: CaseNote[] = [];
  for (const note of notes) {
    const stored = await db
      .insertInto('case_note')
      .values({
        cluster_id: row.cluster_id,
        case_id: row.case_id,
        notes: note.notes,
        author: note.author,
        author_id: note.authorId,
        kind: note.kind,
        created_at: timestamp(now),
        tag_list: [...note.tags],
      })
      .returning(['case_id', 'note_id', 'notes', 'author', 'created_at', 'tag_list', 'kind'])
      .executeTakeFirstOrThrow();
    added.push(noteOf(stored));
  }
  await db
    .updateTable('incident_case')
    .set({ notes_count: sql<number>`notes_count + ${notes.length}`, updated_at: timestamp(now) })
    .where('cluster_id', '=', row.cluster_id)
    .where('case_id', '=', row.case_id)
    .execute();
  return added;
}

/** The notes of several cases, oldest first, by case id. Every case has an entry. */
export async function selectNotes(db: CaseDb, rows: readonly CaseRow[]): Promise<Map<string, CaseNote[]>> {
  const byCase = new Map<string, CaseNote[]>(rows.map((row) => [row.case_id, []]));
  const [first] = rows;
  if (!first) return byCase;
  const notes = await db
    .selectFrom('case_note')
    .select(['case_id', 'note_id', 'notes', 'author', 'created_at', 'tag_list', 'kind'])
    .where('cluster_id', '=', first.cluster_id)
    .where('case_id', 'in', [...byCase.keys()])
    .orderBy('note_id')
    .execute();
  for (const note of notes) byCase.get(note.case_id)?.push(noteOf(note));
  return byCase;
}

export interface HistoryToAdd {
  readonly action: CaseAction;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly resolution?: Resolution | null;
  /** Escaped; see case-notes.ts of the contract. */
  readonly note?: string;
}

export async function insertHistory(
  db: CaseDb,
  row: Pick<CaseRow, 'cluster_id' | 'case_id'>,
  actor: CaseActor,
  entry: HistoryToAdd,
  now: number,
): Promise<void> {
  await db
    .insertInto('case_history')
    .values({
      cluster_id: row.cluster_id,
      case_id: row.case_id,
      created_at: timestamp(now),
      author: actor.name,
      author_id: actor.userId,
      action: entry.action,
      from_value: entry.from ?? null,
      to_value: entry.to ?? null,
      resolution: entry.resolution ?? null,
      note: entry.note || null,
    })
    .execute();
}

/** Latest first. */
export async function selectHistory(
  db: CaseDb,
  row: CaseRow,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ data: CaseHistoryEntry[]; total_count: number }> {
  const query = db
    .selectFrom('case_history')
    .where('cluster_id', '=', row.cluster_id)
    .where('case_id', '=', row.case_id);
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(['created_at', 'author', 'action', 'from_value', 'to_value', 'resolution', 'note'])
    .orderBy('entry_id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return {
    total_count: total,
    data: rows.map((one) => ({
      cnam_time: one.created_at,
      author: one.author,
      action: one.action,
      from: one.from_value,
      to: one.to_value,
      resolution: one.resolution,
      note: one.note,
    })),
  };
}
