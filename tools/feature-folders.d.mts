type Partial = Readonly<Record<string, { readonly in: readonly string[]; readonly why: string }>>;

export declare const FEATURE_ROOTS: Readonly<Record<string, string>>;
export declare const PARTIAL: Partial;
export declare function featureFolders(files: readonly string[]): Readonly<Record<string, readonly string[]>>;
export declare function featureFolderProblems(files: readonly string[], partial?: Partial): string[];
