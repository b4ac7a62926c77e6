import type { ConnectorEngine } from './connector-config.ts';

// A kind of connector as the catalogue has it.

export const CONNECTOR_GROUPS = ['protocols', 'stores', 'identity', 'saas', 'cloud'] as const;
export type ConnectorGroup = (typeof CONNECTOR_GROUPS)[number];

export interface ConnectorKind {
  readonly kind: string;
  readonly engine: ConnectorEngine;
  readonly group: ConnectorGroup;
  /** As its maker calls it. */
  readonly name: string;
  /** Other words by which it is looked for. */
  readonly words?: string;
  /** What the account or token must be allowed, in the words of the service. */
  readonly needs?: string;
  /** What the settings begin with; a part in angle brackets is to be filled in. */
  readonly config?: Readonly<Record<string, unknown>>;
}
