import type { KqlType } from '@tyrian/catalog';
import { say } from '@tyrian/diagnostics';
import type { ComputeItem, KeptColumn, MatchStep, PlanNode } from '@tyrian/plan';
import { columnReference, constant, type Scalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import { literalValue } from '../expressions/literal-text.ts';
import { stringOf } from '../expressions/lower-literal.ts';
import type { ExpressionContext, Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  boundColumns,
  boundType,
  child,
  children,
  forgetLastColumn,
  nameOf,
  optionalChild,
  type Syntax,
  spanOf,
  textOf,
  wordOf,
} from '../syntax.ts';
import { separating } from './subtables.ts';

// `scan`: the rows in their order run through steps. What a step says of the state (`s1.x`) becomes a column that is
// kept; the engine works the steps out, see match-fold.ts.

/** `scan with_match_id=m declare (...) with (step ...)`. Inside partition the steps begin anew for each table. */
export function lowerScanSteps(
  node: Syntax<'ScanOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  for (const property of ['OrderByClause', 'PartitionByClause'] as const) {
    const clause = optionalChild(node, property);
    if (clause) lowering.refuse(messages.parameter(spanOf(clause), 'scan', say('orderAndPartition')));
  }
  const alive = input.subtables?.alive;
  if (alive) lowering.refuse(messages.operator(spanOf(node), say('scanBeforeCount')));
  const scan = new ScanSteps(node, input, names, lowering);
  const steps = scan.steps();
  const [matchName] = scan.matchName();
  const matchId = { id: lowering.newId(), type: 'long' } as const;
  const plan: PlanNode = {
    kind: 'match-steps',
    input: input.node,
    ...(input.subtables ? { partition: separating(input.subtables) } : {}),
    steps,
    declared: scan.declared.map(({ id, rest }) => ({ id, expression: rest })),
    kept: scan.kept,
    matchId,
    numbered: matchName !== undefined,
  };
  const made = [
    ...scan.declared.map(({ name, id, type }) => ({ name, id, type })),
    ...(matchName === undefined ? [] : [{ name: matchName, ...matchId }]),
  ];
  const columns = [...input.columns, ...made];
  // The binder numbers the matches even where nobody asks for it.
  if (matchName === undefined) forgetLastColumn(node);
  const bound = boundColumns(node);
  if (bound.length !== columns.length || bound.some(({ name }, index) => name !== columns[index]?.name))
    lowering.refuse(messages.columnsDiffer(spanOf(node), 'scan'));
  return { ...input, node: plan, columns };
}

interface Declared extends NamedColumn {
  /** Its value where no step assigns it. */
  readonly rest: Scalar;
}

class ScanSteps {
  readonly kept: KeptColumn[] = [];
  readonly declared: readonly Declared[];
  readonly #node: Syntax<'ScanOperator'>;
  readonly #input: Table;
  readonly #names: Names;
  readonly #lowering: Lowering;
  readonly #stepNames: readonly string[];

  constructor(node: Syntax<'ScanOperator'>, input: Table, names: Names, lowering: Lowering) {
    this.#node = node;
    this.#input = input;
    this.#names = names;
    this.#lowering = lowering;
    this.#stepNames = children(node, 'Steps').map((step) => nameOf(child(step, 'Name')));
    const clause = optionalChild(node, 'DeclareClause');
    this.declared = clause ? children(clause, 'Declarations').map((one) => this.#declare(one)) : [];
  }

  steps(): MatchStep[] {
    return children(this.#node, 'Steps').map((step, position) => this.#step(step, position));
  }

  /** The name of the column that numbers the matches; none when it is not asked for. */
  matchName(): string[] {
    return children(this.#node, 'Parameters').flatMap((parameter) => {
      const name = nameOf(child(parameter, 'Name'));
      if (name === 'with_match_id') return [nameOf(child(parameter, 'Expression'))];
      this.#lowering.refuse(messages.ignored(spanOf(parameter), `scan ${name}`));
      return [];
    });
  }

  #declare(parameter: Syntax<'FunctionParameter'>): Declared {
    const nameNode = child(child(parameter, 'NameAndType'), 'Name');
    const type = boundType(nameNode) ?? 'dynamic';
    const given = optionalChild(parameter, 'DefaultValue');
    const value = given ? child(given, 'Value') : null;
    const rest = value ? this.#atRest(value, type) : constant(type, type === 'string' ? '' : null);
    return { name: nameOf(nameNode), id: this.#lowering.newId(), type, rest };
  }

  /** The binder does not look at these literals, so their type is that of the column. */
  #atRest(literal: Syntax, type: KqlType): Scalar {
    if (type === 'string') return constant(type, stringOf(literal));
    const value = type === 'dynamic' ? jsonInside(textOf(literal)) : literalValue(type, textOf(literal));
    if (value === undefined) this.#lowering.refuse(messages.badLiteral(spanOf(literal), type));
    return constant(type, value ?? null);
  }

  #step(step: Syntax<'ScanStep'>, position: number): MatchStep {
    if (optionalChild(step, 'OptionalKeyword'))
      this.#lowering.refuse(messages.parameter(spanOf(step), 'scan', say('optionalSteps')));
    const output = optionalChild(step, 'ScanStepOutput');
    const word = output ? wordOf(output, 'OutputKind') : 'all';
    const condition = child(step, 'Condition');
    const computed = optionalChild(step, 'ComputationClause');
    const at = this.#context(position);
    return {
      output: word === 'last' || word === 'none' ? word : 'all',
      condition: convertTo(this.#lowering.expression(condition, at), 'bool'),
      assignments: computed
        ? children(computed, 'Assignments').flatMap((one) => this.#assignment(one, at))
        : [],
    };
  }

  #assignment(assignment: Syntax<'ScanAssignment'>, at: ExpressionContext): ComputeItem[] {
    const target = child(assignment, 'Name');
    const value = child(assignment, 'Expression');
    const declared = this.declared.find(({ name }) => name === nameOf(target));
    if (!declared) {
      this.#lowering.refuse(messages.unknownName(spanOf(target), nameOf(target)));
      return [];
    }
    return [{ id: declared.id, expression: convertTo(this.#lowering.expression(value, at), declared.type) }];
  }

  /**
   * Where an expression of a step stands: it sees the row, and the state by the names of the steps. A declared column
   * without the name of a step is that of the row itself, which nothing has been assigned to yet.
   */
  #context(step: number): ExpressionContext {
    const declared = this.declared.map(({ name, rest }) => [name, { kind: 'scalar', value: rest }] as const);
    return {
      names: new Map([...this.#names, ...declared]),
      columns: this.#input.columns,
      state: (owner, name) => this.#stateColumn(step, nameOf(owner), owner, nameOf(name)),
    };
  }

  #stateColumn(reader: number, step: string, owner: Syntax, name: string): Scalar | null {
    const position = this.#stepNames.indexOf(step);
    const source = [...this.#input.columns, ...this.declared].find((column) => column.name === name);
    if (position < 0 || !source || this.#input.columns.some((column) => column.name === step)) return null;
    if (position > reader) {
      this.#lowering.refuse(messages.badArgument(spanOf(owner), 'scan', say('scanSeesBefore')));
      return constant(source.type, null);
    }
    const known = this.kept.find((column) => column.step === position && column.source === source.id);
    if (known) return columnReference(known.id, known.type);
    const kept = { id: this.#lowering.newId(), type: source.type, step: position, source: source.id };
    this.kept.push(kept);
    return columnReference(kept.id, kept.type);
  }
}

/** What stands in `dynamic(...)` as JSON text; undefined when it is not written as JSON. */
function jsonInside(text: string): string | null | undefined {
  const inside = /^dynamic\(([\s\S]*)\)$/.exec(text.trim())?.[1];
  if (inside === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(inside);
    return value === null ? null : JSON.stringify(value);
  } catch {
    return undefined;
  }
}
