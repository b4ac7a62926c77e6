/** The source that a token, a certificate or a sender's address stands for, with its scope. */
export interface IngestSource {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly kind: 'http' | 'syslog';
  /** A disabled scope takes nothing in. */
  readonly isScopeEnabled: boolean;
}
