import { type Case, type CaseNote, readNote, shownNotes } from '@tyrian/contract';
import { csvCell } from '../../platform/csv-cell.ts';

// Cases as a file. CSV by RFC 4180, with a guard against cells that a spreadsheet would run as a formula;
// NDJSON without loss. Times carry the zone that the file is written in.

export interface ExportedCase {
  readonly record: Case;
  readonly notes: readonly CaseNote[];
}

/** Writes epoch milliseconds as `2026-03-04 05:06:07`. Throws RangeError for an unknown zone. */
function timeWriter(timezone: string): (ms: number | null) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (ms) => (ms === null ? '' : format.format(ms));
}

type Column = readonly [
  string,
  (one: ExportedCase, time: (ms: number | null) => string) => string | number | null,
];

function notesText(notes: readonly CaseNote[], time: (ms: number | null) => string): string {
  return shownNotes(notes)
    .map((note) => `[${time(note.cnam_time)}] ${note.author}: ${note.text}`)
    .join('\n');
}

const COLUMNS: readonly Column[] = [
  ['case_key', ({ record }) => record.case_key],
  ['case_id', ({ record }) => record.case_id],
  ['case_name', ({ record }) => record.case_name],
  ['status', ({ record }) => record.status],
  ['severity', ({ record }) => record.severity],
  ['handler', ({ record }) => record.handler?.name ?? ''],
  ['created', ({ record }, time) => time(record.created)],
  ['created_by', ({ record }) => record.created_by],
  ['closed', ({ record }, time) => time(record.closed)],
  ['resolution', ({ record }) => record.resolution ?? ''],
  ['signals', ({ record }) => record.signal_count],
  ['artifacts', ({ record }) => record.artifact_count],
  ['risk_score', ({ record }) => record.risk_score],
  ['tta_seconds', ({ record }) => record.tta_seconds],
  ['ttr_seconds', ({ record }) => record.ttr_seconds],
  ['on_hold_seconds', ({ record }) => record.on_hold_seconds],
  ['tags', ({ record }) => record.tags.join(', ')],
  ['notes', ({ notes }, time) => notesText(notes, time)],
];

/** CSV with a header line; the time columns name the zone. */
export function casesAsCsv(cases: readonly ExportedCase[], timezone: string): string {
  const time = timeWriter(timezone);
  const header = COLUMNS.map(([name]) =>
    csvCell(name === 'created' || name === 'closed' ? `${name} (${timezone})` : name),
  );
  const lines = cases.map((one) => COLUMNS.map(([, read]) => csvCell(read(one, time))));
  return [header, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** One JSON object a line: the case, with its notes as plain text. */
export function casesAsNdjson(cases: readonly ExportedCase[]): string {
  return cases
    .map(({ record, notes }) => {
      const plain = notes.map((note) => ({ ...note, notes: readNote(note.notes) }));
      return `${JSON.stringify({ ...record, notes: plain })}\n`;
    })
    .join('');
}
