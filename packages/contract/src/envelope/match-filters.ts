import type { AddFilter } from './list-request.ts';

// What `addfilters` mean, as a pure function. Filters are read from left to right: each is joined to what
// stands before it by its own filter_condition; the condition of the first says nothing.

type Value = string | number | boolean | null;
/** Values of a record under a key; a list matches when one of its members does. */
export type FilterValues = Value | readonly Value[];

const asList = (value: AddFilter['filter_value']) => (Array.isArray(value) ? value : [value]);
const same = (a: Value, b: string | number | boolean) =>
  a !== null && String(a).toLowerCase() === String(b).toLowerCase();

/** Compares numbers as numbers and everything else as text; null when one side is missing. */
function compare(a: Value, b: string | number | boolean | undefined): number | null {
  if (a === null || b === undefined) return null;
  const [left, right] = [Number(a), Number(b)];
  if (String(a).trim() !== '' && String(b).trim() !== '' && !Number.isNaN(left) && !Number.isNaN(right)) {
    return left - right;
  }
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

function matchesOne(filter: AddFilter, values: FilterValues): boolean {
  const own: readonly Value[] = Array.isArray(values) ? values : [values as Value];
  const wanted = asList(filter.filter_value);
  const anySame = own.some((value) => wanted.some((one) => same(value, one)));
  const test = (check: (order: number) => boolean, bound: string | number | boolean | undefined) =>
    own.some((value) => {
      const order = compare(value, bound);
      return order !== null && check(order);
    });
  switch (filter.filter_operand) {
    case 'exact':
    case 'in':
      return anySame;
    case 'not_in':
      return !anySame;
    case 'fuzzy':
      return own.some((value) =>
        wanted.some(
          (one) => value !== null && String(value).toLowerCase().includes(String(one).toLowerCase()),
        ),
      );
    case 'gt':
      return test((order) => order > 0, wanted[0]);
    case 'lt':
      return test((order) => order < 0, wanted[0]);
    case 'between':
      return test((order) => order >= 0, wanted[0]) && test((order) => order <= 0, wanted[1]);
  }
}

/** Whether a record passes the filters; `valuesOf` gives its values under a filter key. */
export function matchesFilters(
  filters: readonly AddFilter[],
  valuesOf: (key: string) => FilterValues,
): boolean {
  return filters.reduce((passed, filter, at) => {
    const matches = matchesOne(filter, valuesOf(filter.filter_key));
    if (at === 0) return matches;
    return filter.filter_condition === 'OR' ? passed || matches : passed && matches;
  }, true);
}
