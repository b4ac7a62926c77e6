/** How every token of a source begins. */
export const TOKEN_START = 'tyr_';

/** The reason under which datagrams that the kernel dropped are counted beside what is refused. */
export const KERNEL_DROPS = 'udp-dropped-by-kernel';

/** The source that a token, a certificate or a sender's address stands for, with its scope. */
export interface IngestSource {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly sourceId: string;
  readonly sourceName: string;
  /** `pull`: a connector fetches; it has no proof of its own. */
  readonly kind: 'http' | 'syslog' | 'pull';
  /** A disabled scope takes nothing in, and neither does a source that is paused. */
  readonly isScopeEnabled: boolean;
}

/** A source of a tenant by its ids. */
export interface SourceKey {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly sourceId: string;
}
