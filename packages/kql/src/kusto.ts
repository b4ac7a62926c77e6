import '@kusto/language-service-next/bridge.min.js';
import '@kusto/language-service-next/Kusto.Language.Bridge.min.js';
import { rememberCommonType } from './common-type-memo.ts';
import type { KustoShapes } from './kusto-shapes.ts';

// Loads Microsoft's language service, which puts itself on globalThis: the order of the two imports matters. Its own
// declarations run to 35,000 lines; what we use of it is declared here, in the words of that API.

/** A list of the language service. */
export interface KustoList<T> {
  readonly Count: number;
  getItem(index: number): T;
}

export interface KustoType {
  readonly Name: string;
  readonly IsTabular?: boolean;
  readonly Columns?: KustoList<KustoColumn>;
}

export interface KustoColumn {
  readonly Name: string;
  readonly Type: KustoType;
  /** The expression that the column is the result of. */
  readonly Source?: KustoElement | null;
  readonly OriginalColumns?: readonly KustoColumn[];
}

/** The kinds of nodes whose children are read. */
export type SyntaxKind = keyof KustoShapes;

declare const kindMark: unique symbol;

/**
 * A node or token of the syntax tree, of a kind that `isKind` found out. Children are read through syntax.ts; the
 * properties here are those that nodes of many kinds have.
 */
export interface KustoElement<K extends SyntaxKind = SyntaxKind> {
  readonly [kindMark]: K;
  readonly TextStart: number;
  readonly End: number;
  readonly ChildCount: number;
  readonly Parent: KustoElement | null;
  readonly ResultType?: KustoType | null;
  readonly ReferencedSymbol?: (KustoNamed & { readonly ResultNameKind?: number }) | null;
  /** Of a literal, and of an expression whose value the binder knows. */
  readonly LiteralValue?: unknown;
  readonly ConstantValue?: unknown;
  /** Of a token: as written, and what it stands for. */
  readonly Text?: string;
  readonly ValueText?: string;
  /** Of a name: without brackets and quotes. */
  readonly SimpleName?: string;
  GetChild(index: number): KustoElement | null;
  GetName(index: number): string;
  /** Of a call: the body as bound with its arguments. */
  GetCalledFunctionBody?(): KustoElement | null;
}

export interface KustoDiagnostic {
  readonly Start: number;
  readonly Length: number;
  readonly Severity: string;
  readonly Code: string;
  readonly Message: string;
}

export interface KustoCode {
  readonly Text: string;
  readonly Syntax: KustoElement;
  readonly ResultType: KustoType | null;
  GetDiagnostics(): KustoList<KustoDiagnostic>;
  /** `match` and `include` are flags: see `symbolsInScope`. */
  GetSymbolsInScope(
    position: number,
    match: number,
    include: number,
    cancellation: object,
  ): KustoList<KustoNamed>;
}

export interface KustoNamed {
  readonly Name: string;
}

export interface KustoParameter {
  readonly Name: string;
  readonly MinOccurring: number;
  readonly MaxOccurring: number;
  readonly TypeKind: number;
  readonly DeclaredTypes: KustoList<KustoType> | null;
}

export interface KustoSignature {
  readonly IsHidden: boolean;
  readonly Parameters: KustoList<KustoParameter>;
  readonly DeclaredReturnType?: KustoType | null;
}

export interface KustoFunction {
  readonly Name: string;
  readonly IsHidden: boolean;
  readonly IsObsolete: boolean;
  readonly Signatures: KustoList<KustoSignature>;
}

export interface KustoGlobals {
  WithDatabase(database: object): KustoGlobals;
  WithCache(): KustoGlobals;
  GetFunction(name: string): KustoFunction | null;
  GetAggregate(name: string): KustoFunction | null;
}

/** Names of the language itself. */
interface KustoBuiltIns extends KustoGlobals {
  readonly Functions: readonly KustoFunction[];
  readonly Aggregates: readonly KustoFunction[];
  readonly PlugIns: readonly KustoFunction[];
}

export interface CompletionItem {
  readonly DisplayText: string;
  readonly Kind: number;
  readonly BeforeText: string;
  readonly AfterText: string;
  readonly MatchText?: string;
}

export interface KustoCodeService {
  GetCompletionItems(position: number): {
    readonly Items: KustoList<CompletionItem>;
    readonly EditStart: number;
    readonly EditLength: number;
  };
  GetClassifications(
    start: number,
    length: number,
  ): {
    readonly Classifications: KustoList<{ Start: number; Length: number; Kind: number }>;
  };
  GetQuickInfo(position: number): { readonly Text: string };
  /** Where the thing at a position is declared and referred to. */
  GetRelatedElements(position: number): {
    readonly Elements: KustoList<{ Start: number; Length: number; Kind: number }>;
  } | null;
  GetFormattedText(): { readonly Text: string };
}

/** A word of a text, with the blanks and comments before it. */
interface KustoToken {
  readonly Trivia: string;
  readonly Text: string;
}

interface KustoLanguage {
  readonly IncludeFunctionKind: { readonly All: number };
  readonly Symbols: {
    readonly SymbolMatch: { readonly Any: number };
    readonly ScalarTypes: Readonly<Record<string, object>>;
    readonly ParameterTypeKind: object;
    readonly TypeFacts: {
      GetCommonArgumentType: ReturnType<typeof rememberCommonType<KustoType>>;
      TryGetCommonType(...parts: readonly unknown[]): boolean;
    };
    readonly ColumnSymbol: new (...parts: readonly unknown[]) => object;
    readonly TableSymbol: { readonly $ctor4: new (name: string, columns: readonly object[]) => object };
    readonly FunctionSymbol: {
      readonly $ctor16: new (name: string, parameters: string, body: string, description: string) => object;
    };
    readonly DatabaseSymbol: { readonly ctor: new (name: string, members: readonly object[]) => object };
  };
  readonly GlobalState: { readonly Default: KustoBuiltIns };
  KustoCode: {
    ParseAndAnalyze(text: string, globals: KustoGlobals): KustoCode;
    /** Without binding. */
    Parse(text: string, globals: KustoGlobals): KustoCode;
    /** `Command` when the first word is a dot, `Query` otherwise; looks at the first words alone. */
    GetKind(text: string): string;
  };
  readonly Parsing: {
    readonly TokenParser: {
      ParseTokens(text: string, options: null): readonly KustoToken[];
      /** The word at this position with what stands before it; null at the end of the text. */
      ParseToken(text: string, start: number, options: null): KustoToken | null;
    };
  };
  readonly Editor: {
    readonly KustoCodeService: { readonly ctor: new (code: KustoCode) => KustoCodeService };
    readonly ClassificationKind: object;
    readonly CompletionKind: object;
    readonly RelatedElementKind: object;
  };
}

interface KustoGlobalThis {
  readonly Kusto: { readonly Language: KustoLanguage };
  readonly Bridge: { getTypeName(value: unknown): string };
  readonly System: {
    readonly Enum: { toString(type: object, value: number): string };
    readonly Threading: { readonly CancellationToken: new () => object };
  };
}

const loaded = globalThis as unknown as KustoGlobalThis;

/** The language service itself. */
export const kusto: KustoLanguage = loaded.Kusto.Language;
const { TypeFacts } = kusto.Symbols;
TypeFacts.GetCommonArgumentType = rememberCommonType(TypeFacts.GetCommonArgumentType);

const kinds = new WeakMap<object, string>();

/** The kind of a syntax node by its class, e.g. `FilterOperator`. */
export function kustoKind(value: object): string {
  const prototype = Object.getPrototypeOf(value) as object;
  const known = kinds.get(prototype);
  if (known) return known;
  const kind = loaded.Bridge.getTypeName(value)
    .replace('Kusto.Language.Syntax.', '')
    .replace(/[`$[].*/, '');
  kinds.set(prototype, kind);
  return kind;
}

/** What a position of a bound text can name, by kind, e.g. `ColumnSymbol`. */
export function symbolsInScope(code: KustoCode, position: number): { kind: string; name: string }[] {
  const { IncludeFunctionKind, Symbols } = kusto;
  const never = new loaded.System.Threading.CancellationToken();
  const found = code.GetSymbolsInScope(position, Symbols.SymbolMatch.Any, IncludeFunctionKind.All, never);
  return kustoItems(found).map((one) => ({
    kind: loaded.Bridge.getTypeName(one).replace('Kusto.Language.Symbols.', ''),
    name: one.Name,
  }));
}

export const kustoEnumName = (type: object, value: number): string =>
  loaded.System.Enum.toString(type, value);

/** A list of the language service as an array. */
export function kustoItems<T>(list: KustoList<T> | null | undefined): T[] {
  return list ? Array.from({ length: list.Count }, (_, index) => list.getItem(index)) : [];
}
