import { type QueryExecutorProvider, sql } from 'kysely';
import { timestamp } from '../postgres/timestamp.ts';

// How components were by minute: a row for each component and minute, which the last sample in the minute overwrites.
// What counts on is kept as it stands; a rate is the difference between two rows.

/** What a component says of itself at one time. */
export interface ComponentSample {
  /** As they are now, e.g. `mem_pct`, `queue`; null where it cannot be told. */
  readonly figures: Readonly<Record<string, number | null>>;
  /** Since its start, e.g. `in`, `out`, `dropped`, `cpu_ms`. */
  readonly counters: Readonly<Record<string, number>>;
  /** Of engines; a role says its version in its own row. */
  readonly version?: string;
}

export interface ComponentMinute extends ComponentSample {
  readonly component: string;
  /** Epoch milliseconds: begin of the minute, and when the sample was taken. */
  readonly minuteMs: number;
  readonly takenMs: number;
}

const MINUTE_MS = 60_000;
const KEPT_MS = 2 * 3_600_000;

type Db = QueryExecutorProvider;

interface MinuteRow extends ComponentSample {
  readonly component: string;
  readonly minute_at: number;
  readonly taken_at: number;
}

const asMinute = ({ minute_at, taken_at, ...row }: MinuteRow): ComponentMinute => ({
  ...row,
  minuteMs: minute_at,
  takenMs: taken_at,
});

/** Writes a sample into its minute. */
export async function writeMinute(
  db: Db,
  component: string,
  takenMs: number,
  sample: ComponentSample,
): Promise<void> {
  const minuteMs = Math.floor(takenMs / MINUTE_MS) * MINUTE_MS;
  const { figures, counters, version = '' } = sample;
  await sql`
    insert into component_minute (component, minute_at, figures, counters, version, taken_at)
    values (${component}, ${timestamp(minuteMs)}, ${JSON.stringify(figures)}, ${JSON.stringify(counters)},
      ${version}, ${timestamp(takenMs)})
    on conflict (component, minute_at)
    do update set figures = excluded.figures, counters = excluded.counters, version = excluded.version,
      taken_at = excluded.taken_at`.execute(db);
}

/** The minutes of one component since then, oldest first. */
export async function minutesOf(db: Db, component: string, sinceMs: number): Promise<ComponentMinute[]> {
  const { rows } = await sql<MinuteRow>`
    select component, minute_at, figures, counters, version, taken_at from component_minute
    where component = ${component} and minute_at >= ${timestamp(sinceMs)} order by minute_at`.execute(db);
  return rows.map(asMinute);
}

/** Of each component since then the first minute and the last two, oldest first. */
export async function edgeMinutes(
  db: Db,
  sinceMs: number,
): Promise<ReadonlyMap<string, readonly ComponentMinute[]>> {
  const { rows } = await sql<MinuteRow>`
    select component, minute_at, figures, counters, version, taken_at from (
      select *, row_number() over (partition by component order by minute_at) as place,
        count(*) over (partition by component) as places
      from component_minute where minute_at >= ${timestamp(sinceMs)}) as minute
    where place = 1 or place >= places - 1 order by component, minute_at`.execute(db);
  const found = new Map<string, ComponentMinute[]>();
  for (const row of rows) {
    const list = found.get(row.component);
    if (list) list.push(asMinute(row));
    else found.set(row.component, [asMinute(row)]);
  }
  return found;
}

/** Removes what nobody is shown any more; answers how many rows. */
export async function forgetMinutes(db: Db, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from component_minute where minute_at < ${timestamp(nowMs - KEPT_MS)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}
