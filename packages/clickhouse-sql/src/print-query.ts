import type { ScopedPlan } from '@tyrian/plan';
import { decodableColumns, type OutputColumn } from './decode-row.ts';
import { withEqualPiecesShared } from './share-equal-pieces.ts';
import { splitPlan } from './split/split-plan.ts';
import type { OrderItem, ParameterValue, Select, Source, Sql, SqlText, WholeQuery } from './sql.ts';

// The only file that writes SQL text. Values become typed parameters, numbered in order, each value once. A piece that
// is used twice in one expression is written once and named, so nested functions do not grow the text without bound.

export interface PrintedQuery {
  readonly sql: string;
  /** By parameter name, without `param_`: `p0`, `p1` ... */
  readonly params: Readonly<Record<string, ParameterValue>>;
  /** ClickHouse settings that the text relies on. */
  readonly settings: Readonly<Record<string, string | number>>;
  readonly columns: readonly OutputColumn[];
}

const SETTINGS = {
  prefer_column_name_to_alias: 1,
  join_use_nulls: 1,
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 1,
  output_format_json_quote_decimals: 1,
  output_format_json_escape_forward_slashes: 0,
  allow_experimental_analyzer: 1,
  // The number that a row gets must not be worked out before an ARRAY JOIN below has multiplied the rows.
  query_plan_lift_up_array_join: 0,
  // Each step of a long pipe may be a select within a select.
  max_query_size: 16_777_216,
  max_parser_depth: 10_000,
  max_ast_depth: 10_000,
  max_ast_elements: 200_000,
  max_subquery_depth: 1000,
} as const;

/** Tables that the text calls MATERIALIZED are computed once; without it each use computes them anew. */
const SHARING = { enable_materialized_cte: 1 } as const;

/** Prints a scoped plan: one SELECT, its parameters, the settings it needs and the columns of its rows. */
export function printQuery(plan: ScopedPlan): PrintedQuery {
  const printer = new Printer();
  const query = splitPlan(plan);
  const text = printer.whole(query);
  const settings = query.shared.length > 0 ? { ...SETTINGS, ...SHARING } : SETTINGS;
  return { sql: text, params: printer.params, settings, columns: decodableColumns(plan) };
}

/** How often each piece is used inside one expression, and the name it got when it was written. */
type Uses = Map<Sql, { count: number; alias: string | null }>;

class Printer {
  readonly params: Record<string, ParameterValue> = {};
  readonly #numbered = new Map<string, string>();
  #aliases = 0;

  whole({ shared, select }: WholeQuery): string {
    const tables = shared.map((table) => `m${table.key} AS MATERIALIZED (${this.select(table.select)})`);
    const text = this.select(select);
    return tables.length === 0 ? text : `WITH ${tables.join(',\n')}\n${text}`;
  }

  select(given: Select): string {
    const shared = withEqualPiecesShared(given);
    const select = shared ?? given;
    const clause = (pieces: readonly Sql[]) =>
      shared ? this.#together(pieces) : pieces.map((one) => this.#expression(one));
    const texts = clause(select.items.map((item) => item.sql));
    const items = select.items.map((item, at) => `${texts[at]} AS ${item.alias}`);
    const lines = [`SELECT ${items.length === 0 ? '1' : items.join(', ')}`];
    const bare = select.source.kind === 'nothing' && select.arrayJoin.length > 0;
    const source = bare ? '(SELECT 1)' : this.#source(select.source);
    if (source) lines.push(`FROM ${source}`);
    if (select.arrayJoin.length > 0)
      lines.push(
        `ARRAY JOIN ${select.arrayJoin.map((item) => `${this.#expression(item.sql)} AS ${item.alias}`).join(', ')}`,
      );
    if (select.where.length > 0) lines.push(`WHERE ${clause(select.where).join('\n  AND ')}`);
    if (select.groupBy.length > 0)
      lines.push(`GROUP BY ${select.groupBy.map((one) => this.#expression(one)).join(', ')}`);
    if (select.orderBy.length > 0)
      lines.push(`ORDER BY ${select.orderBy.map((item) => this.#order(item)).join(', ')}`);
    if (select.limitBy.length > 0)
      lines.push(`LIMIT 1 BY ${select.limitBy.map((one) => this.#expression(one)).join(', ')}`);
    if (select.limit !== null) lines.push(`LIMIT ${select.limit}`);
    return lines.join('\n');
  }

  /** Expressions of one clause: what one of them names, the others use. None gets a name itself, as an item has one. */
  #together(pieces: readonly Sql[]): readonly string[] {
    const uses: Uses = new Map();
    for (const piece of pieces) countUses(piece, uses);
    return pieces.map((piece) =>
      piece.kind === 'text' ? this.#unnamed(piece, uses) : this.#write(piece, uses),
    );
  }

  #order(item: OrderItem): string {
    const direction = item.descending ? 'DESC' : 'ASC';
    return `${this.#expression(item.sql)} ${direction} NULLS ${item.nullsFirst ? 'FIRST' : 'LAST'}`;
  }

  #source(source: Source): string {
    switch (source.kind) {
      case 'nothing':
        return '';
      case 'table':
        return this.#expression(source.name);
      case 'function':
        return this.#expression(source.call);
      case 'shared':
        return `m${source.key}`;
      case 'select':
        return `(${this.select(source.select)})`;
      case 'union':
        return `(${source.selects.map((one) => this.select(one)).join('\nUNION ALL\n')})`;
      case 'join': {
        const on = source.on.map((one) => this.#expression(one)).join(' AND ');
        const left = `(${this.select(source.left)}) AS l`;
        const right = `(${this.select(source.right)}) AS r`;
        return `${left}\n${this.#expression(source.words)} ${right}${on ? `\nON ${on}` : ''}`;
      }
    }
  }

  #expression(piece: Sql): string {
    const uses: Uses = new Map();
    countUses(piece, uses);
    return this.#write(piece, uses);
  }

  #write(piece: Sql, uses: Uses): string {
    switch (piece.kind) {
      case 'parameter':
        return this.#parameter(piece.type, piece.value);
      case 'column':
        return `c${piece.id}`;
      case 'name':
        return piece.path.map((part) => `\`${part.replace(/[\\`]/g, '\\$&')}\``).join('.');
      case 'subselect':
        return `(${this.select(piece.select)})`;
      case 'text':
        return this.#text(piece, uses);
    }
  }

  #text(piece: SqlText, uses: Uses): string {
    const use = uses.get(piece);
    if (use?.alias) return use.alias;
    const text = this.#unnamed(piece, uses);
    if (!use || use.count < 2 || piece.values.length === 0) return text;
    const alias = `t${this.#aliases++}`;
    use.alias = alias;
    return `(${text} AS ${alias})`;
  }

  #unnamed(piece: SqlText, uses: Uses): string {
    const fresh = piece.parts.some((part) => part.includes('->'));
    let text = piece.parts[0] ?? '';
    piece.values.forEach((value, index) => {
      text += fresh ? this.#expression(value) : this.#write(value, uses);
      text += piece.parts[index + 1] ?? '';
    });
    return text;
  }

  #parameter(type: string, value: ParameterValue): string {
    const content = `${type} ${contentOf(value)}`;
    const known = this.#numbered.get(content);
    if (known) return known;
    const key = `p${Object.keys(this.params).length}`;
    this.params[key] = value;
    const text = `{${key}:${type}}`;
    this.#numbered.set(content, text);
    return text;
  }
}

/** Equal for equal values only: JSON has no NaN, no infinities and one zero. */
const contentOf = (value: ParameterValue): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'number' && (!Number.isFinite(one) || Object.is(one, -0)) ? { number: String(one) } : one,
  );

/** Counts uses up to the borders of lambdas: a name made inside a lambda is unknown outside it. */
function countUses(piece: Sql, uses: Uses): void {
  if (piece.kind !== 'text') return;
  const known = uses.get(piece);
  if (known) {
    known.count += 1;
    return;
  }
  uses.set(piece, { count: 1, alias: null });
  if (piece.parts.some((part) => part.includes('->'))) return;
  for (const value of piece.values) countUses(value, uses);
}
