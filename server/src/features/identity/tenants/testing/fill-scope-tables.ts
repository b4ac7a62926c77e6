import { type Kysely, sql, type Transaction } from 'kysely';

// A row of a scope in every table of PostgreSQL that has a column for one, made from what the database says of the columns:
// nobody has to add a table here.

type Db = Kysely<unknown> | Transaction<unknown>;

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Tables with a column `scope_id`. */
export async function tablesOfScopes(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and a.attname = 'scope_id' and not a.attisdropped order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

const columnsOf = async (db: Db, table: string): Promise<readonly Column[]> => {
  const { rows } = await sql<Column>`
    select a.attname as name, format_type(a.atttypid, null) as type
    from pg_attribute a
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
      and (a.attname = 'scope_id' or a.attnotnull and not a.atthasdef and a.attidentity = '')`.execute(db);
  return rows;
};

const VALUES: Readonly<Record<string, string>> = {
  jsonb: '{}',
  bytea: '',
  boolean: 'true',
  date: '2026-01-01',
  'timestamp with time zone': '2026-01-01T00:00:00Z',
  'text[]': '{}',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** A value that fits the type. */
function valueFor({ name, type }: Column, placed: Readonly<Record<string, string>>): string {
  const own = placed[name] ?? VALUES[type];
  if (own !== undefined) return own;
  return /^(?:smallint|integer|bigint|numeric|double precision|real)$/.test(type) ? '1' : 'x';
}

interface Place {
  readonly clusterId: string;
  readonly scopeId: string;
}

/** As the owner of the tables, with the rows of the tenant. */
const inTenant = <T>(
  db: Kysely<unknown>,
  { clusterId }: Place,
  work: (trx: Transaction<unknown>) => Promise<T>,
) =>
  db.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.cluster_id', ${clusterId}, true)`.execute(trx);
    return work(trx);
  });

/** Writes a row into each of the tables, as if it kept their rules; what they point to still takes them with it. */
export async function fillTables(
  db: Kysely<unknown>,
  tables: readonly string[],
  place: Place,
): Promise<void> {
  await inTenant(db, place, async (trx) => {
    for (const table of tables) {
      const { rows: links } = await sql<{ name: string; definition: string }>`
        select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
        where conrelid = ${table}::regclass and contype in ('f', 'c')`.execute(trx);
      for (const { name } of links)
        await sql`alter table ${sql.id(table)} drop constraint ${sql.id(name)}`.execute(trx);
      const columns = await columnsOf(trx, table);
      const values = columns.map((one) =>
        valueFor(one, { cluster_id: place.clusterId, scope_id: place.scopeId }),
      );
      await sql`insert into ${sql.id(table)} (${sql.join(columns.map(({ name }) => sql.id(name)))})
        values (${sql.join(values)})`.execute(trx);
      for (const { name, definition } of links)
        await sql`alter table ${sql.id(table)} add constraint ${sql.id(name)}
          ${sql.raw(definition)} not valid`.execute(trx);
    }
  });
}

/** Of the tables those that hold rows of the scope. */
export async function tablesWithRows(
  db: Kysely<unknown>,
  tables: readonly string[],
  place: Place,
): Promise<readonly string[]> {
  return inTenant(db, place, async (trx) => {
    const found: string[] = [];
    for (const table of tables) {
      const { rows } = await sql`select 1 from ${sql.id(table)}
        where cluster_id = ${place.clusterId} and scope_id = ${place.scopeId} limit 1`.execute(trx);
      if (rows.length > 0) found.push(table);
    }
    return found;
  });
}
