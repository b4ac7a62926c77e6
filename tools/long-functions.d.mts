export interface LongFunction {
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}
export interface FoundFunction extends LongFunction {
  readonly file: string;
}
type Lengths = Readonly<Record<string, number>>;

export declare const FUNCTION_LINES: number;
export declare function longFunctions(file: string, text: string): LongFunction[];
export declare function lengthProblems(found: readonly FoundFunction[], listed: Lengths): string[];
export declare function loweredList(found: readonly FoundFunction[], listed: Lengths): Lengths;
