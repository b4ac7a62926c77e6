import {
  type AddFilter,
  type CASE_FILTER_KEYS,
  type CASE_SORT_KEYS,
  say,
  sayOfField,
} from '@tyrian/contract';
import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import { epochOf } from '../../platform/postgres/timestamp.ts';

// `addfilters` of a case list as SQL conditions, with the meaning that matchesFilters of the contract has.
// Only the expressions below stand in the SQL; every value is a parameter.

type FilterKey = (typeof CASE_FILTER_KEYS)[number];
type Condition = RawBuilder<boolean>;
export type CaseFilter = AddFilter & { readonly filter_key: FilterKey };

/** Text under a key; an empty text stands for "none", so that the unassigned can be asked for. */
const TEXTS: Partial<Record<FilterKey, RawBuilder<string>>> = {
  case_id: sql<string>`c.case_id`,
  case_key: sql<string>`'CASE-' || c.number`,
  case_name: sql<string>`c.case_name`,
  status: sql<string>`c.status`,
  severity: sql<string>`c.severity`,
  handler: sql<string>`coalesce(c.handler_id, '')`,
  resolution: sql<string>`coalesce(c.resolution, '')`,
};

const NUMBERS: Partial<Record<FilterKey, RawBuilder<number>>> = {
  risk_score: sql<number>`c.risk_score`,
  created: epochOf('c.created_at'),
  updated: epochOf('c.updated_at'),
  closed: epochOf('c.closed_at'),
};

const SEVERITY_RANK = sql`array_position(array['None','Low','Medium','High','Critical'], c.severity)`;
const STATUS_RANK = sql`array_position(array['OPEN','IN-PROGRESS','ON-HOLD','CLOSED'], c.status)`;

/** What a list is sorted by; null sorts last either way. */
export const CASE_SORTS: Record<(typeof CASE_SORT_KEYS)[number], RawBuilder<unknown>> = {
  created: sql`c.created_at`,
  updated: sql`c.updated_at`,
  closed: sql`c.closed_at`,
  case_name: sql`lower(c.case_name)`,
  case_key: sql`c.number`,
  severity: SEVERITY_RANK,
  status: STATUS_RANK,
  risk_score: sql`c.risk_score`,
  signal_count: sql`c.signal_count`,
  artifact_count: sql`c.artifact_count`,
  tta_seconds: sql`case when c.oldest_signal_at is not null then greatest(interval '0', c.created_at - c.oldest_signal_at) end`,
  ttr_seconds: sql`case when c.status = 'CLOSED' then c.worked_ms end`,
  handler: sql`lower(c.handler_name)`,
};

const listOf = (value: AddFilter['filter_value']) => (Array.isArray(value) ? value : [value]).map(String);

const needsNumbers = (key: string, count: number) =>
  count === 1 ? say('cases.filterNeedsNumber', { key }) : say('cases.filterNeedsNumbers', { key, count });

function numbersOf(filter: CaseFilter, count: number): number[] {
  const values = listOf(filter.filter_value).map(Number);
  if (values.length !== count || values.some((value) => !Number.isFinite(value))) {
    throw new AppError('bad-input', sayOfField('addfilters', needsNumbers(filter.filter_key, count)));
  }
  return values;
}

function anyText(matches: (values: readonly string[]) => Condition, filter: CaseFilter): Condition {
  const values = listOf(filter.filter_value).map((value) => value.toLowerCase());
  switch (filter.filter_operand) {
    case 'exact':
    case 'in':
      return matches(values);
    case 'not_in':
      return sql<boolean>`not ${matches(values)}`;
    default:
      throw new AppError(
        'bad-input',
        sayOfField(
          'addfilters',
          say('cases.filterOperand', { operand: filter.filter_operand, key: filter.filter_key }),
        ),
      );
  }
}

function fuzzy(text: RawBuilder<string>, filter: CaseFilter): Condition {
  const parts = listOf(filter.filter_value).map((value) => value.toLowerCase());
  return sql<boolean>`exists (select from unnest(${parts}::text[]) part where strpos(lower(${text}), part) > 0)`;
}

function numberCondition(number: RawBuilder<number>, filter: CaseFilter): Condition {
  switch (filter.filter_operand) {
    case 'gt':
      return sql<boolean>`coalesce(${number} > ${numbersOf(filter, 1)[0]}::float8, false)`;
    case 'lt':
      return sql<boolean>`coalesce(${number} < ${numbersOf(filter, 1)[0]}::float8, false)`;
    case 'between': {
      const [low, high] = numbersOf(filter, 2);
      return sql<boolean>`coalesce(${number} between ${low}::float8 and ${high}::float8, false)`;
    }
    default:
      return anyText(
        (values) => sql<boolean>`coalesce(${number}::text, '') = any(${[...values]}::text[])`,
        filter,
      );
  }
}

function conditionOf(filter: CaseFilter): Condition {
  const number = NUMBERS[filter.filter_key];
  if (number) return numberCondition(number, filter);
  const text = TEXTS[filter.filter_key];
  if (text) {
    if (filter.filter_operand === 'fuzzy') {
      return filter.filter_key === 'handler'
        ? fuzzy(sql<string>`coalesce(c.handler_name, '')`, filter)
        : fuzzy(text, filter);
    }
    return anyText((values) => sql<boolean>`lower(${text}) = any(${[...values]}::text[])`, filter);
  }
  if (filter.filter_key === 'tags') {
    const tag = (test: Condition) => sql<boolean>`exists (select from unnest(c.tags) tag where ${test})`;
    if (filter.filter_operand === 'fuzzy') return tag(fuzzy(sql<string>`tag`, filter));
    return anyText((values) => tag(sql<boolean>`lower(tag) = any(${[...values]}::text[])`), filter);
  }
  return anyText(
    (values) => sql<boolean>`exists (select from case_signal s where s.cluster_id = c.cluster_id
      and s.case_id = c.case_id and lower(s.signal_id) = any(${[...values]}::text[]))`,
    filter,
  );
}

/** One condition for all filters, read from left to right. Throws AppError `bad-input` for senseless ones. */
export function filtersCondition(filters: readonly CaseFilter[]): Condition {
  return filters.reduce<Condition>((before, filter, at) => {
    const condition = conditionOf(filter);
    if (at === 0) return condition;
    return filter.filter_condition === 'OR'
      ? sql<boolean>`(${before} or ${condition})`
      : sql<boolean>`(${before} and ${condition})`;
  }, sql<boolean>`true`);
}
