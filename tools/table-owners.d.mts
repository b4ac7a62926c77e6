type Files = readonly (readonly [file: string, text: string])[];
type TablesOf = Readonly<Record<string, readonly string[]>>;
type Reasons = Readonly<Record<string, string>>;

export declare const TABLES_OF: TablesOf;
export declare const TABLES_OF_OTHERS: Reasons;
export declare function ownerOf(file: string): string | undefined;
export declare function tablesIn(file: string, text: string, known: ReadonlySet<string>): string[];
export declare function tablesMade(migrations: readonly string[]): Set<string>;
export declare function tableProblems(
  files: Files,
  migrations: readonly string[],
  tablesOf?: TablesOf,
  allowed?: Reasons,
): string[];
