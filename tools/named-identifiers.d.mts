export declare function identifiersNamed(text: string): string[];
export declare function requirementLines(page: string): Map<string, number>;
