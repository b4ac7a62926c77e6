import type { Endpoint } from '@tyrian/contract';
import type { SeedRole } from '../../users/testing/seed-company.ts';

/** Ids that one step makes for later ones. */
export type Made = Record<string, string>;

export interface WalkStep {
  readonly endpoint: Endpoint;
  readonly as: SeedRole | 'visitor';
  /** Beside `clusterId`, which is tenant A's. */
  readonly params?: (made: Made) => Record<string, string>;
  readonly input?: (made: Made) => object;
  readonly keep?: (data: never, made: Made) => void;
}
