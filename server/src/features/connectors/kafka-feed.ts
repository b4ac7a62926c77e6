import type { KafkaBatch, KafkaClient, KafkaConsumer } from '../../platform/outgoing/kafka-client.ts';

// A consumer that is asked for its batches one after the other, instead of being told of them.

export interface FedBatch {
  /** `topic partition` */
  readonly place: string;
  readonly nextOffset: string;
  readonly values: readonly string[];
  /** Tells the group how far the partition was read. Its failure costs nothing but what the group knows. */
  commit(): Promise<void>;
  /** The next batch may come. */
  done(): void;
}

interface FeedOptions {
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly fromBeginning: boolean;
}

const STOP_MS = 1_000;
const BATCH_BYTES = 4 * 1024 * 1024;
const decoder = new TextDecoder('utf-8');

export class KafkaFeed {
  readonly #consumer: KafkaConsumer;
  readonly #options: FeedOptions;
  #waiting: FedBatch[] = [];
  #crash: Error | null = null;
  #wake: () => void = () => undefined;
  #isStopped = false;
  /** The next offset by place, as far as this feed knows. */
  #offsets: Record<string, string> = {};

  constructor(client: KafkaClient, options: FeedOptions) {
    this.#options = options;
    this.#consumer = client.consumer({
      groupId: options.groupId,
      sessionTimeout: 30_000,
      heartbeatInterval: 3_000,
      maxBytesPerPartition: BATCH_BYTES,
      maxBytes: 2 * BATCH_BYTES,
      maxWaitTimeInMs: 500,
      // A crash ends the turn; the next one begins anew.
      retry: { retries: 2, restartOnFailure: async () => false },
    });
    this.#consumer.on('consumer.crash', ({ payload }) => {
      this.#crash = payload.error;
      this.#wake();
    });
  }

  /** Joins the group and goes on from these offsets, wherever the group thinks that it is. */
  async start(offsets: Readonly<Record<string, string>>): Promise<void> {
    this.#offsets = { ...offsets };
    const { topics, fromBeginning } = this.#options;
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: [...topics], fromBeginning });
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1,
      eachBatch: (payload) => this.#take(payload),
    });
    for (const [place, offset] of Object.entries(offsets)) {
      const [topic = '', partition = ''] = place.split(' ');
      if (topics.includes(topic)) this.#consumer.seek({ topic, partition: Number(partition), offset });
    }
  }

  async #take({ batch, resolveOffset, heartbeat, isRunning, isStale }: KafkaBatch): Promise<void> {
    const { topic, partition } = batch;
    const place = `${topic} ${partition}`;
    let from = BigInt(this.#offsets[place] ?? 0);
    // The topic was made anew: it ends before what was read.
    if (BigInt(batch.highWatermark) < from) from = 0n;
    // What came before the seek was read already.
    const messages = batch.messages.filter(({ offset }) => BigInt(offset) >= from);
    const last = messages.at(-1);
    if (!last || this.#isStopped || isStale() || !isRunning()) return;
    const nextOffset = String(BigInt(last.offset) + 1n);
    await new Promise<void>((resolve) => {
      const beat = () => void heartbeat().catch(() => undefined);
      const timer = setInterval(beat, 3_000);
      const done = () => {
        clearInterval(timer);
        resolve();
      };
      this.#release = done;
      this.#waiting.push({
        place,
        nextOffset,
        values: messages.flatMap(({ value }) => (value === null ? [] : [decoder.decode(value)])),
        commit: async () => {
          await this.#consumer
            .commitOffsets([{ topic, partition, offset: nextOffset }])
            .catch(() => undefined);
        },
        done: () => {
          this.#offsets[place] = nextOffset;
          resolveOffset(last.offset);
          done();
        },
      });
      this.#wake();
    });
  }

  #release: () => void = () => undefined;

  /** The next batch; null when none came within the time. Throws when the consumer crashed or the signal aborts. */
  async next(waitMs: number, signal: AbortSignal): Promise<FedBatch | null> {
    if (this.#waiting.length === 0 && this.#crash === null) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          resolve();
        };
        this.#wake = end;
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      });
    }
    signal.throwIfAborted();
    if (this.#crash !== null) throw this.#crash;
    return this.#waiting.shift() ?? null;
  }

  /** Leaves the group; what was not stored stays where it is. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#release();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_MS);
    });
    await Promise.race([this.#consumer.disconnect().catch(() => undefined), late]);
    clearTimeout(timer);
  }
}
