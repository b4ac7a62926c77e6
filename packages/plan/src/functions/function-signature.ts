import type { KqlType } from '@tyrian/catalog';

// A function of the registry is data: its name, what it takes, what it gives. The compiler converts the arguments to
// the types that stand here, so the SQL builder of the function meets each argument in one form only.

/**
 * What an argument is converted to: a type, or `number` (any numeric type as it is), `any` (as it is),
 * `common` (all such arguments take the type they have in common).
 */
export type ParameterType = KqlType | 'number' | 'any' | 'common';

export interface Parameter {
  readonly type: ParameterType;
  readonly optional: boolean;
  /** Takes any number of arguments; only the last parameters do. */
  readonly repeated: boolean;
  /** Must be known before the query runs. */
  readonly constant: boolean;
}

/** A type; `common` or `first`: that of the arguments; `bound`: what the language service says. */
export type ResultRule = KqlType | 'common' | 'first' | 'bound';

export interface FunctionSignature {
  readonly name: string;
  /** Other names of the same function. */
  readonly aliases: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly result: ResultRule;
  /** True when the result can be null although no argument is. */
  readonly canFail: boolean;
}

/**
 * Reads `substring(string, long, long?)` style signatures: `=` constant, `?` optional, `*` repeated, `|` before further names.
 * A `!` after the result type marks a function that can give null for arguments that are not null.
 */
export function signature(text: string): FunctionSignature {
  const match = /^([\w|]+)\((.*)\) -> (\w+)(!?)$/.exec(text);
  if (!match) throw new Error(`Not a signature: ${text}`);
  const [, names = '', parameters = '', result = '', fails] = match;
  const [name = '', ...aliases] = names.split('|');
  return {
    name,
    aliases,
    parameters: parameters === '' ? [] : parameters.split(', ').map(parameter),
    result: result as ResultRule,
    canFail: fails === '!',
  };
}

function parameter(text: string): Parameter {
  const type = text.replace(/[=?*]+$/, '') as ParameterType;
  return {
    type,
    optional: text.includes('?'),
    repeated: text.endsWith('*'),
    constant: text.includes('='),
  };
}

/** The parameter that takes argument `index` of `count`; undefined when there are too many arguments. */
export function parameterFor(fn: FunctionSignature, index: number): Parameter | undefined {
  const own = fn.parameters[index];
  if (own) return own;
  const last = fn.parameters.at(-1);
  if (!last?.repeated) return undefined;
  const repeated = fn.parameters.filter((one) => one.repeated);
  const before = fn.parameters.length - repeated.length;
  return repeated[(index - before) % repeated.length];
}
