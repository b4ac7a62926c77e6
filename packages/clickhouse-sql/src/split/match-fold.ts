import type { ColumnId, KeptColumn, MatchSteps, Scalar } from '@tyrian/plan';
import { columnsReadBy } from '@tyrian/plan';
import type { ScalarContext } from '../scalar-context.ts';
import { predicateSql, scalarSql } from '../scalar-sql.ts';
import { commaList, ownText, type Sql, sql } from '../sql.ts';
import { computed, plainValue, type SqlValue } from '../sql-value.ts';
import type { Relation, SplitState } from './relation.ts';
import { castTo, elementOf, tupleType, typeInState } from './state-tuple.ts';

// The steps of `scan` as a fold. The state holds for each step: whether it has a sequence, the number of its match, the
// number of its series of rows, and what later expressions read of the rows that led there. A row is held against every
// step: it takes the sequence of the step before further (promotes it), or repeats the step that it stands in.
// An array is folded in pieces of about the root of its length, because a fold copies what it has gathered at each row.

export interface MatchFold {
  /** What the steps read of a row, as a tuple over the columns of the relation. */
  readonly seen: Sql;
  /** For an array of such tuples, the array of the matches of each row: step, match, series, declared columns. */
  readonly over: (rows: Sql) => Sql;
}

/** Builds the fold over the rows of `base`. */
export function matchFold(node: MatchSteps, base: Relation, state: SplitState): MatchFold {
  const machine = new Machine(node, base, state);
  return { seen: machine.seen, over: (rows) => machine.over(rows) };
}

const STATE = sql`st`;
const ROW = sql`rw`;
/** Positions in the state of a step before what it keeps. */
const HEAD = 3;

/** What the stages of a row say of a step: it takes the sequence of the step before, keeps its own, is matched anew. */
const PROMOTES = (step: number): Sql => elementOf(sql`pr`, step + 1);
const STAYS = (step: number): Sql => elementOf(sql`rp`, 2 * step + 1);
const REPEATS = (step: number): Sql => elementOf(sql`rp`, 2 * step + 2);
const MATCH = (step: number): Sql => elementOf(sql`ms`, step + 1);

/** The body with a name for a piece. */
const bound = (label: Sql, piece: Sql, body: Sql): Sql =>
  sql`arrayElement(arrayMap(${label} -> ${body}, [${piece}]), 1)`;

class Machine {
  readonly #node: MatchSteps;
  readonly #state: SplitState;
  readonly #columns: readonly (readonly [ColumnId, SqlValue])[];
  readonly #matchType: string;
  readonly #stateType: string;

  constructor(node: MatchSteps, base: Relation, state: SplitState) {
    this.#node = node;
    this.#state = state;
    const read = new Set<ColumnId>(node.kept.map((column) => column.source));
    for (const scalar of expressionsOf(node)) for (const id of columnsReadBy(scalar)) read.add(id);
    this.#columns = [...base.columns].filter(([id]) => read.has(id));
    const declared = node.declared.map(({ expression }) => typeInState(expression.type));
    this.#matchType = tupleType(['UInt8', 'Int64', 'Int64', ...declared]);
    const steps = node.steps.map((_, step) =>
      tupleType(['UInt8', 'Int64', 'Int64', ...this.#keptIn(step).map(({ type }) => typeInState(type))]),
    );
    this.#stateType = tupleType([...steps, 'Int64']);
  }

  get seen(): Sql {
    const cells = this.#columns.map(([, value]) => castTo(computed(value).sql, typeInState(value.type)));
    return cells.length === 0 ? sql`tuple(1)` : sql`tuple(${commaList(cells)})`;
  }

  over(rows: Sql): Sql {
    const none = castTo(sql`[]`, `Array(Array(${this.#matchType}))`);
    const piece = sql`arrayFold((sf, rw) -> ${this.#next()}, ch, (tupleElement(ac, 1), ${none}))`;
    const joined = bound(
      sql`pc`,
      piece,
      sql`(tupleElement(pc, 1), arrayConcat(tupleElement(ac, 2), tupleElement(pc, 2)))`,
    );
    const size = sql`greatest(toUInt64(sqrt(length(${rows}))), 1)`;
    const pieces = sql`arraySplit((el, ix) -> (ix % ${size}) = 0, ${rows}, arrayEnumerate(${rows}))`;
    return sql`tupleElement(arrayFold((ac, ch) -> ${joined}, ${pieces}, (${this.#start()}, ${none})), 2)`;
  }

  /** State and matches after one row; `sf` is both before it. Each stage is bound to a name, so that none is written twice. */
  #next(): Sql {
    const positions = this.#node.steps.map((_, step) => step);
    const promotes = positions.map((step) => (step === 0 ? sql`0` : this.#promotes(step)));
    const repeats = positions.flatMap((step) => [this.#stays(step), this.#repeats(step)]);
    const matches = sql`(${commaList([...positions.map((step) => this.#match(step)), sql`0`])})`;
    const started = sql`toInt64(${REPEATS(0)} AND NOT ${STAYS(0)})`;
    const steps = positions.map((step) => this.#stepAfter(step));
    const state = sql`(${commaList([...steps, sql`${this.#counter()} + ${started}`])})`;
    const shown = positions.filter((step) => this.#node.steps[step]?.output !== 'none').reverse();
    const none = castTo(sql`[]`, `Array(${this.#matchType})`);
    const lists = shown.map(
      (step): Sql => sql`if(tupleElement(${MATCH(step)}, 1) > 0, [${MATCH(step)}], ${none})`,
    );
    const [only = none] = lists;
    const found = lists.length < 2 ? only : sql`arrayConcat(${commaList(lists)})`;
    const after = sql`(${state}, arrayPushBack(tupleElement(sf, 2), ${found}))`;
    const withMatches = bound(sql`ms`, matches, after);
    const withRepeats = bound(sql`rp`, sql`(${commaList(repeats)})`, withMatches);
    const withPromotes = bound(sql`pr`, sql`(${commaList([...promotes, sql`0`])})`, withRepeats);
    return bound(STATE, sql`tupleElement(sf, 1)`, withPromotes);
  }

  /** The step still has its sequence, unless this row carries it on. */
  #stays(step: number): Sql {
    const active = sql`tupleElement(${elementOf(STATE, step + 1)}, 1) = 1`;
    const isLast = step === this.#node.steps.length - 1;
    return isLast ? sql`(${active})` : sql`(${active} AND NOT ${PROMOTES(step + 1)})`;
  }

  /** The row repeats the step, or starts at the first. */
  #repeats(step: number): Sql {
    const stays = this.#stays(step);
    const condition = this.#condition(step, (column) => this.#keptValue(column, step, stays));
    return step === 0 ? condition : sql`(NOT ${PROMOTES(step)} AND ${stays} AND ${condition})`;
  }

  /** Whether the row takes the sequence of the step before to this one. */
  #promotes(step: number): Sql {
    const before = elementOf(STATE, step);
    const condition = this.#condition(step, (column) => this.#keptBefore(column, step));
    return sql`(tupleElement(${before}, 1) = 1 AND ${condition})`;
  }

  #condition(step: number, kept: (column: KeptColumn) => Sql): Sql {
    const one = this.#node.steps[step];
    if (!one) throw new Error('A step is missing');
    return sql`ifNull(${predicateSql(one.condition, this.#context(kept))}, false)`;
  }

  /** What the state of a step says of a column that is kept; nothing when it has no sequence. */
  #keptValue(column: KeptColumn, step: number, stays: Sql): Sql {
    return sql`if(${stays}, ${this.#cell(column, step)}, ${this.#nothing(column)})`;
  }

  /** The same for the sequence that comes from the step before: it has no row of this step. */
  #keptBefore(column: KeptColumn, step: number): Sql {
    return column.step < step ? this.#cell(column, step - 1) : this.#nothing(column);
  }

  #cell(column: KeptColumn, step: number): Sql {
    const position = this.#keptIn(step).indexOf(column);
    if (position < 0) throw new Error('A step reads a step that comes after it');
    return elementOf(elementOf(STATE, step + 1), position + 1 + HEAD);
  }

  /** A step keeps the rows of the steps up to its own. */
  #keptIn(step: number): readonly KeptColumn[] {
    return this.#node.kept.filter((column) => column.step <= step);
  }

  #nothing(column: KeptColumn): Sql {
    const declared = this.#node.declared.find(({ id }) => id === column.source);
    if (declared) return this.#value(declared.expression, () => sql`NULL`);
    return castTo(column.type === 'string' ? sql`''` : sql`NULL`, typeInState(column.type));
  }

  #value(expression: Scalar, kept: (column: KeptColumn) => Sql): Sql {
    return castTo(computed(scalarSql(expression, this.#context(kept))).sql, typeInState(expression.type));
  }

  #context(kept: (column: KeptColumn) => Sql): ScalarContext {
    return {
      column: (id) => {
        const state = this.#node.kept.find((column) => column.id === id);
        if (state) return plainValue(state.type, castTo(kept(state), typeInState(state.type)), true);
        const position = this.#columns.findIndex(([one]) => one === id);
        const value = this.#columns[position]?.[1];
        if (!value) throw new Error(`Column ${id} is not there`);
        return plainValue(value.type, elementOf(ROW, position + 1), true);
      },
      subselect: this.#state.subselect,
    };
  }

  /** A declared column of the row that matches a step. */
  #assigned(step: number, id: ColumnId): Sql {
    const assignment = this.#node.steps[step]?.assignments.find((item) => item.id === id);
    const declared = this.#node.declared.find((item) => item.id === id);
    if (!assignment) return declared ? this.#value(declared.expression, () => sql`NULL`) : sql`NULL`;
    const repeated = this.#value(assignment.expression, (column) =>
      this.#keptValue(column, step, STAYS(step)),
    );
    if (step === 0) return repeated;
    const promoted = this.#value(assignment.expression, (column) => this.#keptBefore(column, step));
    return sql`if(${PROMOTES(step)}, ${promoted}, ${repeated})`;
  }

  #stepAfter(step: number): Sql {
    const matches = sql`tupleElement(${MATCH(step)}, 1) > 0`;
    const active = sql`toUInt8(${matches} OR ${STAYS(step)})`;
    const kept = this.#keptIn(step).map((column): Sql => {
      const stays = this.#keptValue(column, step, STAYS(step));
      if (column.step < step) return sql`if(${PROMOTES(step)}, ${this.#keptBefore(column, step)}, ${stays})`;
      const declared = this.#node.declared.findIndex(({ id }) => id === column.source);
      const position = this.#columns.findIndex(([id]) => id === column.source);
      const fresh = declared < 0 ? elementOf(ROW, position + 1) : elementOf(MATCH(step), declared + 1 + HEAD);
      return sql`if(${matches}, ${fresh}, ${stays})`;
    });
    return sql`(${commaList([active, elementOf(MATCH(step), 2), elementOf(MATCH(step), 3), ...kept])})`;
  }

  /** The number of the step, or 0 where the row does not match it; match, series and declared columns. */
  #match(step: number): Sql {
    const declared = this.#node.declared.map(({ id }) => this.#assigned(step, id));
    const number = sql`if(${PROMOTES(step)} OR ${REPEATS(step)}, toUInt8(${ownText(step + 1)}), toUInt8(0))`;
    const begins = sql`(${PROMOTES(step)} OR (${REPEATS(step)} AND NOT ${STAYS(step)}))`;
    const series = this.#node.steps.some((one) => one.output === 'last')
      ? sql`tupleElement(${elementOf(STATE, step + 1)}, 3) + toInt64(${begins})`
      : sql`toInt64(0)`;
    return sql`(${commaList([number, this.#matchId(step), series, ...declared])})`;
  }

  #matchId(step: number): Sql {
    if (!this.#node.numbered) return sql`toInt64(0)`;
    const own = elementOf(elementOf(STATE, step + 1), 2);
    if (step === 0) return sql`if(${STAYS(0)}, ${own}, ${this.#counter()})`;
    return sql`if(${PROMOTES(step)}, ${elementOf(elementOf(STATE, step), 2)}, ${own})`;
  }

  /** The number of the next match. */
  #counter(): Sql {
    return elementOf(STATE, this.#node.steps.length + 1);
  }

  #start(): Sql {
    const steps = this.#node.steps.map((_, step): Sql => {
      const kept = this.#keptIn(step).map((column) => this.#nothing(column));
      return sql`(${commaList([sql`0`, sql`0`, sql`0`, ...kept])})`;
    });
    return castTo(sql`(${commaList([...steps, sql`0`])})`, this.#stateType);
  }
}

const expressionsOf = (node: MatchSteps): Scalar[] =>
  node.steps.flatMap((step) => [step.condition, ...step.assignments.map((item) => item.expression)]);
