import { kusto } from '../kusto.ts';
import type { SavedFunction } from './saved-function.ts';

const made = new WeakMap<SavedFunction, object>();

/** Functions as the language service offers and explains them. A symbol is made once for each. */
export function functionSymbols(functions: readonly SavedFunction[]): object[] {
  return functions.map((one) => {
    const known = made.get(one);
    if (known) return known;
    const { name, parameters, body, description = '' } = one;
    const symbol = new kusto.Symbols.FunctionSymbol.$ctor16(
      name,
      `(${parameters})`,
      `{${body}\n}`,
      description,
    );
    made.set(one, symbol);
    return symbol;
  });
}
