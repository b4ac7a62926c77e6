import type { ColumnId, KeptColumn, MatchSteps, MatchStep, Scalar } from '@tyrian/plan';
import { columnsReadBy } from '@tyrian/plan';
import type { ScalarContext } from '../scalar-context.ts';
import { predicateSql, scalarSql } from '../scalar-sql.ts';
import { commaList, type Sql, sql } from '../sql.ts';
import { computed, plainValue, type SqlValue } from '../sql-value.ts';
import type { Relation, SplitState } from './relation.ts';
import { castTo, elementOf, textOf, tupleType, typeInState } from './state-tuple.ts';

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
/** Places in the state of a step before what it keeps. */
const HEAD = 3;

interface Taken {
  /** The row takes the sequence of the step before. */
  readonly promotes: Sql;
  /** The row repeats the step, or starts at the first. */
  readonly repeats: Sql;
  /** The step still has its sequence, unless this row carried it on. */
  readonly stays: Sql;
}

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
    const joined = sql`(tupleElement(${piece}, 1), arrayConcat(tupleElement(ac, 2), tupleElement(${piece}, 2)))`;
    const size = sql`greatest(toUInt64(sqrt(length(${rows}))), 1)`;
    const pieces = sql`arraySplit((el, ix) -> (ix % ${size}) = 0, ${rows}, arrayEnumerate(${rows}))`;
    return sql`tupleElement(arrayFold((ac, ch) -> ${joined}, ${pieces}, (${this.#start()}, ${none})), 2)`;
  }

  /** State and matches after one row; `sf` is both before it. */
  #next(): Sql {
    const before = sql`tupleElement(sf, 1)`;
    const taken = this.#node.steps.map((_, step) => this.#taken(step));
    const bound = (piece: Sql): Sql => sql`arrayMap(st -> ${piece}, [${before}])[1]`;
    const steps = this.#node.steps.map((_, step) => this.#stepAfter(step, taken));
    const started = taken[0] ? sql`(${taken[0].repeats} AND NOT ${taken[0].stays})` : sql`0`;
    const next = sql`${this.#counter()} + toInt64(${started})`;
    const state = castTo(sql`(${commaList([...steps, next])})`, this.#stateType);
    const found = this.#node.steps.flatMap((one, step) =>
      one.output === 'none' ? [] : [this.#match(one, step, taken)],
    );
    const list = sql`arrayFilter(mt -> tupleElement(mt, 1) > 0, ${castTo(sql`[${commaList(found.reverse())}]`, `Array(${this.#matchType})`)})`;
    return bound(sql`(${state}, arrayPushBack(tupleElement(sf, 2), ${list}))`);
  }

  #taken(step: number): Taken {
    const own = elementOf(STATE, step + 1);
    const isLast = step === this.#node.steps.length - 1;
    const carriedOn = isLast ? sql`0` : this.#promotes(step + 1);
    const active = sql`tupleElement(${own}, 1) = 1`;
    const stays = sql`(${active} AND NOT ${carriedOn})`;
    const condition = this.#condition(step, (column) => this.#keptValue(column, step, stays));
    if (step === 0) return { promotes: sql`0`, repeats: condition, stays };
    const promotes = this.#promotes(step);
    return { promotes, repeats: sql`(NOT ${promotes} AND ${stays} AND ${condition})`, stays };
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
    const place = this.#keptIn(step).indexOf(column);
    if (place < 0) throw new Error('A step reads a step that comes after it');
    return elementOf(elementOf(STATE, step + 1), place + 1 + HEAD);
  }

  /** A step keeps the rows of the steps up to its own. */
  #keptIn(step: number): readonly KeptColumn[] {
    return this.#node.kept.filter((column) => column.step <= step);
  }

  #nothing(column: KeptColumn): Sql {
    const declared = this.#node.declared.find(({ id }) => id === column.source);
    if (declared) return this.#value(declared.expression, () => sql`NULL`);
    return column.type === 'string' ? sql`''` : sql`NULL`;
  }

  #value(expression: Scalar, kept: (column: KeptColumn) => Sql): Sql {
    return castTo(computed(scalarSql(expression, this.#context(kept))).sql, typeInState(expression.type));
  }

  #context(kept: (column: KeptColumn) => Sql): ScalarContext {
    return {
      column: (id) => {
        const state = this.#node.kept.find((column) => column.id === id);
        if (state) return plainValue(state.type, castTo(kept(state), typeInState(state.type)), true);
        const place = this.#columns.findIndex(([one]) => one === id);
        const value = this.#columns[place]?.[1];
        if (!value) throw new Error(`Column ${id} is not there`);
        return plainValue(value.type, elementOf(ROW, place + 1), true);
      },
      subselect: this.#state.subselect,
    };
  }

  /** A declared column of the row that matches a step. */
  #assigned(step: number, id: ColumnId, taken: Taken): Sql {
    const assignment = this.#node.steps[step]?.assignments.find((item) => item.id === id);
    const declared = this.#node.declared.find((item) => item.id === id);
    if (!assignment) return declared ? this.#value(declared.expression, () => sql`NULL`) : sql`NULL`;
    const repeated = this.#value(assignment.expression, (column) => this.#keptValue(column, step, taken.stays));
    if (step === 0) return repeated;
    const promoted = this.#value(assignment.expression, (column) => this.#keptBefore(column, step));
    return sql`if(${taken.promotes}, ${promoted}, ${repeated})`;
  }

  #stepAfter(step: number, all: readonly Taken[]): Sql {
    const taken = all[step];
    if (!taken) throw new Error('A step is missing');
    const matches = sql`(${taken.promotes} OR ${taken.repeats})`;
    const active = sql`toUInt8(${matches} OR ${taken.stays})`;
    const kept = this.#keptIn(step).map((column): Sql => {
      const stays = this.#keptValue(column, step, taken.stays);
      if (column.step < step) return sql`if(${taken.promotes}, ${this.#keptBefore(column, step)}, ${stays})`;
      const place = this.#columns.findIndex(([id]) => id === column.source);
      const fresh = place < 0 ? this.#assigned(step, column.source, taken) : elementOf(ROW, place + 1);
      return sql`if(${matches}, ${fresh}, ${stays})`;
    });
    return sql`(${commaList([active, this.#matchId(step, taken), this.#series(step, taken), ...kept])})`;
  }

  #match({ assignments: _, ...step }: MatchStep, place: number, all: readonly Taken[]): Sql {
    const taken = all[place];
    if (!taken) throw new Error(`A step is missing: ${step.output}`);
    const matches = sql`(${taken.promotes} OR ${taken.repeats})`;
    const declared = this.#node.declared.map(({ id }) => this.#assigned(place, id, taken));
    const number = sql`if(${matches}, ${textOf(place + 1)}, 0)`;
    return sql`(${commaList([number, this.#matchId(place, taken), this.#series(place, taken), ...declared])})`;
  }

  #matchId(step: number, taken: Taken): Sql {
    const own = sql`tupleElement(${elementOf(STATE, step + 1)}, 2)`;
    if (step === 0) return sql`if(${taken.stays}, ${own}, ${this.#counter()})`;
    return sql`if(${taken.promotes}, tupleElement(${elementOf(STATE, step)}, 2), ${own})`;
  }

  #series(step: number, taken: Taken): Sql {
    const begins = sql`(${taken.promotes} OR (${taken.repeats} AND NOT ${taken.stays}))`;
    return sql`tupleElement(${elementOf(STATE, step + 1)}, 3) + toInt64(${begins})`;
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
