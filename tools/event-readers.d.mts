export declare const EVENT_READERS: Readonly<Record<string, string>>;
export declare function eventReads(file: string, text: string): number[];
