declare module 'splunk-logging' {
  export class Logger {
    constructor(config: { readonly token: string; readonly url: string; readonly maxBatchCount?: number });
    send(context: {
      readonly message: unknown;
      readonly severity?: string;
      readonly metadata?: Readonly<Record<string, string>>;
    }): void;
    flush(callback: (error: Error | null, response: unknown, body: unknown) => void): void;
  }
}
