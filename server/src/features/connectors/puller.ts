import type { ServerMessage } from '@tyrian/contract';
import type { Outgoing } from '../../platform/outgoing/outgoing-connections.ts';

// What fetches events for a connector. A puller knows nothing of tenants, stores and leases: it gets settings and a
// position, and gives pieces with the position behind each.

export interface PullCall<Config> {
  readonly config: Config;
  readonly secrets: Readonly<Record<string, string>>;
  readonly outgoing: Outgoing;
  readonly nowMs: () => number;
  /** Aborts when the connector is stopped, changed or deleted, and when the process stops. */
  readonly signal: AbortSignal;
}

export interface PullFrom<Config> extends PullCall<Config> {
  /** As a piece gave it; null before the first. */
  readonly position: unknown;
  /** Of this connector alone, stays the same. */
  readonly connectorId: string;
}

/** Some records, and how far one is behind them. */
export interface Piece {
  /** Each on one line. */
  readonly records: readonly string[];
  /** Plain JSON. */
  readonly position: unknown;
  /** Something that cannot be read and is passed over, and why: it is counted and shown. */
  readonly refused?: ServerMessage;
  /** Called when the records are durable and the position is kept. */
  readonly onStored?: () => Promise<void>;
}

export interface Puller<Config> {
  /** Throws ConnectorError or OutgoingError when what the settings name cannot be used with them. */
  check(call: PullCall<Config>): Promise<void>;
  /** Up to so many records, and what was asked for them. Moves no position. */
  sample(
    call: PullCall<Config>,
    most: number,
  ): Promise<{ readonly records: readonly string[]; readonly asked: string }>;
  /** Pieces until there is nothing more for now. Answers after how many milliseconds to look again. */
  pull(call: PullFrom<Config>): AsyncGenerator<Piece, number>;
}
