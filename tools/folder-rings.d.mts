type Files = readonly (readonly [file: string, text: string])[];
type Rings = Readonly<Record<string, readonly [files: number, reason: string]>>;

export declare const RINGS: Rings;
export declare function folderOf(file: string): string | undefined;
export declare function ringImports(files: Files): Readonly<Record<string, readonly string[]>>;
export declare function ringProblems(files: Files, listed?: Rings): string[];
