import { type KustoSignature, kusto, kustoEnumName, kustoItems } from '../kusto.ts';

// How a function is called: its parameters by name, as the language service knows them.

export interface CallParameter {
  /** As it is shown: `length?`, `value...`. */
  readonly label: string;
  readonly type: string;
}

export interface CallSignature {
  /** `substring(source, start, length?): string`. */
  readonly text: string;
  readonly parameters: readonly CallParameter[];
  /** Type of the result; '' when it depends on the arguments. */
  readonly result: string;
}

/** Kinds of parameter that say something to a reader; the others are any scalar. */
const KINDS: Readonly<Record<string, string>> = {
  Integer: 'long',
  Number: 'number',
  RealOrDecimal: 'real',
  StringOrDynamic: 'string or dynamic',
  StringOrArray: 'string or array',
  DynamicArray: 'array',
  DynamicBag: 'bag',
  IntegerOrDynamic: 'long or dynamic',
  NumberOrBool: 'number or bool',
  Summable: 'number or timespan',
  Tabular: 'table',
};

/** The forms of a built-in function or aggregation, shown ones only; empty when there is no such name. */
export function signaturesOf(name: string): readonly CallSignature[] {
  const { Default } = kusto.GlobalState;
  const symbol = Default.GetFunction(name) ?? Default.GetAggregate(name);
  if (!symbol) return [];
  return kustoItems(symbol.Signatures)
    .filter((one) => !one.IsHidden)
    .map((one) => signatureOf(name, one));
}

function signatureOf(name: string, signature: KustoSignature): CallSignature {
  const parameters = kustoItems(signature.Parameters).map((one): CallParameter => {
    const mark = one.MaxOccurring > 1 ? '...' : one.MinOccurring === 0 ? '?' : '';
    const kind = kustoEnumName(kusto.Symbols.ParameterTypeKind, one.TypeKind);
    const type = kind === 'Declared' ? (kustoItems(one.DeclaredTypes)[0]?.Name ?? '') : (KINDS[kind] ?? '');
    return { label: `${one.Name}${mark}`, type };
  });
  const result = signature.DeclaredReturnType?.Name ?? '';
  const list = parameters.map(({ label }) => label).join(', ');
  return { text: `${name}(${list})${result === '' ? '' : `: ${result}`}`, parameters, result };
}
