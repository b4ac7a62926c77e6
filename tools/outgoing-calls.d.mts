export declare function outgoingCalls(file: string, text: string): { what: string; line: number }[];
