type Files = readonly (readonly [file: string, text: string])[];

export declare const CHECKSUMS: string;
export declare function listedChecksums(list: string): Map<string, string>;
export declare function migrationProblems(migrations: Files, list: string): string[];
