export declare function trackedFiles(root: string): string[];
