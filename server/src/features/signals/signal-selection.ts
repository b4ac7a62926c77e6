import { type AddFilter, type SignalSelection, say } from '@tyrian/contract';
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { SignalTables } from './signal-tables.ts';

// A selection of signals as SQL conditions: scope, time, view, entities, filters. Every list, count, facet and bulk
// action uses this one translation, so that what is acted upon is what was shown.

type Where = ExpressionBuilder<SignalTables, 'signal'>;
export type Condition = ExpressionWrapper<SignalTables, 'signal', SqlBool>;

const COLUMNS = {
  name: 'name',
  tactic: 'tactic',
  technique: 'technique',
  sub_technique: 'sub_technique',
  confidence: 'confidence',
  stream: 'stream',
  stage: 'stage',
  workbook_id: 'workbook_id',
  workbook_name: 'workbook_name',
  signal_id: 'signal_id',
} as const;
const NUMBERS = { score: 'score', occurrences: 'occurrences' } as const;

const listOf = (value: AddFilter['filter_value']): (string | number | boolean)[] =>
  Array.isArray(value) ? [...value] : [value];

const like = (value: unknown): string => `%${String(value).replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

function textCondition(where: Where, column: keyof typeof COLUMNS, filter: AddFilter): Condition {
  const values = listOf(filter.filter_value).map(String);
  const ref = sql.ref(`signal.${COLUMNS[column]}`);
  switch (filter.filter_operand) {
    case 'fuzzy':
      return where.or(values.map((value) => sql<SqlBool>`${ref} ilike ${like(value)}`)) as Condition;
    case 'not_in':
      return where.not(where(ref, 'in', values)) as Condition;
    case 'exact':
    case 'in':
      return where(ref, 'in', values) as Condition;
    default:
      throw new AppError(
        'bad-input',
        say('signals.filterOperand', { key: filter.filter_key, operand: filter.filter_operand }),
      );
  }
}

function numberCondition(where: Where, column: keyof typeof NUMBERS, filter: AddFilter): Condition {
  const values = listOf(filter.filter_value).map(Number);
  if (values.length === 0 || values.some(Number.isNaN)) {
    throw new AppError('bad-input', say('signals.filterNeedsNumber', { key: filter.filter_key }));
  }
  const [first = 0, second = first] = values;
  switch (filter.filter_operand) {
    case 'gt':
      return where(`signal.${column}`, '>', first) as Condition;
    case 'lt':
      return where(`signal.${column}`, '<', first) as Condition;
    case 'between':
      return where.between(`signal.${column}`, first, second) as Condition;
    case 'not_in':
      return where(`signal.${column}`, 'not in', values) as Condition;
    default:
      return where(`signal.${column}`, 'in', values) as Condition;
  }
}

function entityCondition(
  where: Where,
  wanted: { readonly role?: string | undefined; readonly type?: string | undefined; readonly value: string },
  fuzzy = false,
): Condition {
  return where.exists(
    where
      .selectFrom('signal_entity')
      .select('signal_entity.signal_id')
      .whereRef('signal_entity.cluster_id', '=', 'signal.cluster_id')
      .whereRef('signal_entity.signal_id', '=', 'signal.signal_id')
      .$if(wanted.role !== undefined, (query) =>
        query.where('signal_entity.role', '=', wanted.role as 'suspect' | 'target'),
      )
      .$if(wanted.type !== undefined, (query) => query.where('signal_entity.type', '=', wanted.type ?? ''))
      .where(
        fuzzy
          ? sql<SqlBool>`signal_entity.value ilike ${like(wanted.value)}`
          : sql<SqlBool>`signal_entity.value = ${wanted.value}`,
      ),
  ) as unknown as Condition;
}

/** The condition of one filter; an unknown key is the caller's mistake. */
function filterCondition(where: Where, filter: AddFilter): Condition {
  const key = filter.filter_key;
  const values = listOf(filter.filter_value);
  const either = (make: (value: string) => unknown): Condition => {
    const any = where.or(values.map((value) => make(String(value)) as Condition)) as Condition;
    return filter.filter_operand === 'not_in' ? (where.not(any) as Condition) : any;
  };
  if (Object.hasOwn(COLUMNS, key)) return textCondition(where, key as keyof typeof COLUMNS, filter);
  if (Object.hasOwn(NUMBERS, key)) return numberCondition(where, key as keyof typeof NUMBERS, filter);
  if (key === 'tag' || key === 'tags') return either((tag) => sql<SqlBool>`${tag} = any(signal.tags)`);
  if (key === 'case_id') return either((id) => sql<SqlBool>`${id} = any(signal.case_ids)`);
  if (key === 'false_positive') {
    return where('signal.false_positive', '=', String(values[0]) === 'true') as Condition;
  }
  if (key === 'suspect' || key === 'target') {
    const fuzzy = filter.filter_operand === 'fuzzy';
    return either((value) => entityCondition(where, { role: key, value }, fuzzy));
  }
  throw new AppError('bad-input', say('signals.noFilterField', { key }));
}

/** The condition of a view. */
export function viewCondition(where: Where, view: SignalSelection['view']): Condition | null {
  if (view === 'all') return null;
  return where('signal.triaged_at', view === 'pending' ? 'is' : 'is not', null) as Condition;
}

/** A selection, over several scopes of the tenant where they are named. */
export interface WideSelection extends SignalSelection {
  readonly scope_ids?: readonly string[];
}

/** The conditions of a selection without its view. */
export function selectionCondition(where: Where, clusterId: string, selection: WideSelection): Condition {
  const all: Condition[] = [
    where('signal.cluster_id', '=', clusterId) as Condition,
    where('signal.scope_id', 'in', selection.scope_ids ?? [selection.scope_id]) as Condition,
  ];
  if (selection.start !== undefined)
    all.push(where('signal.last_at', '>=', timestamp(selection.start)) as Condition);
  if (selection.end !== undefined)
    all.push(where('signal.first_at', '<', timestamp(selection.end)) as Condition);
  for (const entity of selection.include) all.push(entityCondition(where, entity));
  for (const entity of selection.exclude) all.push(where.not(entityCondition(where, entity)) as Condition);
  const [first, ...rest] = selection.addfilters;
  if (first) {
    let filters = filterCondition(where, first);
    for (const filter of rest) {
      const next = filterCondition(where, filter);
      filters = (
        filter.filter_condition === 'OR' ? where.or([filters, next]) : where.and([filters, next])
      ) as Condition;
    }
    all.push(filters);
  }
  return where.and(all) as Condition;
}
