import { named } from './functions/series-sql.ts';
import { callsIn } from './share-equal-pieces.ts';
import { ownText, type Sql, type SqlText } from './sql.ts';
import type { SqlValue } from './sql-value.ts';

// The engine works out every use of a value again while it reads a query, so a few nested calls of functions that use
// their argument several times would grow beyond its limits. A large argument that is used more than once is bound to
// a name. Small ones stay as they are: the engine can then look through them to its keys and indexes.

const LARGE = 60;

/** How often a piece stands in another, counted up to two. */
function uses(piece: Sql, wanted: Sql, counted = new Map<Sql, number>()): number {
  if (piece === wanted) return 1;
  if (piece.kind !== 'text') return 0;
  const known = counted.get(piece);
  if (known !== undefined) return known;
  const count = piece.values.reduce((all, value) => Math.min(2, all + uses(value, wanted, counted)), 0);
  counted.set(piece, count);
  return count;
}

/** Builds a call with its large arguments bound to names. */
export function withBoundArguments(
  args: readonly SqlValue[],
  build: (args: readonly SqlValue[]) => Sql,
): Sql {
  const isLarge = (arg: SqlValue): boolean => arg.constant === undefined && callsIn(arg.sql) > LARGE;
  if (!args.some(isLarge)) return build(args);
  const names = args.map((arg, index): SqlText | null => (isLarge(arg) ? ownText(`bound${index}`) : null));
  const attempt = build(args.map((arg, index) => ({ ...arg, sql: names[index] ?? arg.sql })));
  const kept = names.map((label) => (label && uses(attempt, label) > 1 ? label : null));
  if (kept.every((label) => label === null)) return build(args);
  const values = Object.fromEntries(
    args.flatMap((arg, index) => (kept[index] ? [[`bound${index}`, arg.sql] as const] : [])),
  );
  return named(values, build(args.map((arg, index) => ({ ...arg, sql: kept[index] ?? arg.sql }))));
}
