import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { NodeAnswer } from './event-store.ts';
import type { ClickhouseAccount, EventStoreOptions } from './event-store-options.ts';
import { askedAgain, isNodeAway, translated } from './store-errors.ts';

// The engines behind an event store: one, or one for each shard of a cluster. Any of them answers for all shards; what
// defines or removes tables goes to each.

export interface EngineNode {
  /** The user that writes and defines tables. */
  readonly writer: ClickHouseClient;
  /** The user that only reads. */
  readonly reader: ClickHouseClient;
  /** Reads as `reader` does and gives way on the processor. */
  readonly patient: ClickHouseClient;
}

export interface EngineNodes {
  readonly count: number;
  /** One that answers: the one that did so last, or the next. For what may be asked again from the beginning. */
  any<T>(work: (node: EngineNode) => Promise<T>): Promise<T>;
  /** The same, once only: what was sent is gone. The next call goes to another when this one does not answer. */
  once<T>(work: (node: EngineNode) => Promise<T>): Promise<T>;
  /** All of them, one after the other; what may be asked again. Rejects at the first that fails. */
  each<T>(work: (node: EngineNode) => Promise<T>): Promise<T[]>;
  /** The same, never asking one again. */
  eachOnce(work: (node: EngineNode) => Promise<unknown>): Promise<void>;
  /** Those that answer. Rejects when none does. */
  reachable<T>(work: (node: EngineNode) => Promise<T>): Promise<T[]>;
  /** Each with its address (host and port) and what came of it; asked once. Never rejects. */
  settled<T>(work: (node: EngineNode) => Promise<T>): Promise<readonly NodeAnswer<T>[]>;
  close(): Promise<void>;
}

function clientFor(url: string, account: ClickhouseAccount): ClickHouseClient {
  return createClient({
    url,
    username: account.user,
    password: account.password,
    application: 'tyrian',
    request_timeout: 600_000,
    max_open_connections: 64,
    log: { level: ClickHouseLogLevel.OFF },
  });
}

async function answersOf<T>(
  nodes: readonly EngineNode[],
  work: (node: EngineNode) => Promise<T>,
): Promise<T[]> {
  const asked = await Promise.allSettled(nodes.map((one) => askedAgain(() => work(one))));
  const failed = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const serious = failed.find((error) => !isNodeAway(error)) ?? failed[0];
  if (failed.length === nodes.length || !failed.every(isNodeAway)) throw serious;
  return asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

function nodeAt(url: string, options: EventStoreOptions): EngineNode {
  const reader = clientFor(url, options.query);
  const patient = options.patient ? clientFor(url, options.patient) : reader;
  return { writer: clientFor(url, options.ingest), reader, patient };
}

/** The answer of one engine, or why there is none. */
function settledOf<T>(url: string, work: () => Promise<T>): Promise<NodeAnswer<T>> {
  const node = new URL(url).host;
  return translated(work).then(
    (answer) => ({ node, answer, error: null }),
    (error: unknown) => ({ node, answer: null, error }),
  );
}

export function openEngineNodes(options: EventStoreOptions): EngineNodes {
  const urls = options.cluster?.urls ?? [options.url];
  const nodes = urls.map((url) => nodeAt(url, options));
  let home = 0;
  const node = () => nodes[home] as EngineNode;
  /** Unless another call has moved on already. */
  const moveFrom = (tried: number): void => {
    if (home === tried) home = (home + 1) % nodes.length;
  };
  const any = async <T>(work: (node: EngineNode) => Promise<T>): Promise<T> => {
    for (let left = nodes.length - 1; ; left -= 1) {
      const tried = home;
      try {
        return await askedAgain(() => work(node()));
      } catch (error) {
        if (!isNodeAway(error)) throw error;
        moveFrom(tried);
        if (left <= 0) throw error;
      }
    }
  };
  return {
    count: nodes.length,
    any,
    once: async (work) => {
      const tried = home;
      try {
        return await translated(() => work(node()));
      } catch (error) {
        if (isNodeAway(error)) moveFrom(tried);
        throw error;
      }
    },
    each: async (work) => {
      const answers = [];
      for (const one of nodes) answers.push(await askedAgain(() => work(one)));
      return answers;
    },
    eachOnce: async (work) => {
      for (const one of nodes) await translated(() => work(one));
    },
    reachable: (work) => answersOf(nodes, work),
    settled: (work) => Promise.all(nodes.map((one, at) => settledOf(urls[at] as string, () => work(one)))),
    close: async () => {
      const clients = new Set(nodes.flatMap(({ writer, reader, patient }) => [writer, reader, patient]));
      await Promise.all([...clients].map((client) => client.close()));
    },
  };
}
