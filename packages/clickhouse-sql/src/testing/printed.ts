import {
  columnReference,
  type KqlType,
  type Plan,
  type PlanNode,
  type Scalar,
  scopeToTenant,
} from '@tyrian/plan';
import { type PrintedQuery, printQuery } from '../print-query.ts';

// Plans for the tests of this package, printed for one tenant.

const DATABASE = 'tenant_t';
const SCOPE = 'main';

/** The SQL of a plan that shows these columns. */
export function printed(
  root: PlanNode,
  shown: readonly (readonly [id: number, type: KqlType])[],
): PrintedQuery {
  const columns = shown.map(([id, type]) => ({ id, type, name: `n${id}` }));
  const plan: Plan = { root, columns, nextId: 1000 };
  return printQuery(scopeToTenant(plan, { database: DATABASE, scopes: [SCOPE] }));
}

const TYPES: readonly KqlType[] = [
  'bool',
  'int',
  'long',
  'real',
  'decimal',
  'string',
  'datetime',
  'timespan',
  'guid',
  'dynamic',
];
/** So many arguments of one type can be told apart. */
const PLACES = 10;

const idOf = (type: KqlType, at: number): number => 100 + PLACES * TYPES.indexOf(type) + at;

/** Rows with columns of every type, whose values the engine alone knows. */
export const ROWS: PlanNode = {
  kind: 'values',
  columns: TYPES.flatMap((type) => Array.from({ length: PLACES }, (_, at) => ({ id: idOf(type, at), type }))),
  rows: [],
  ordinal: 20,
};

/** A column of a type; another for each place, so that arguments that change places show. */
export const columnOf = (type: KqlType, at: number): Scalar => columnReference(idOf(type, at), type);

/** The select of one expression over those rows. */
export const printedScalar = (expression: Scalar): PrintedQuery =>
  printed({ kind: 'compute', input: ROWS, items: [{ id: 30, expression }] }, [[30, expression.type]]);
