import { type KafkaConfig, say } from '@tyrian/contract';
import { onOneLine, splitLines } from '@tyrian/ingest';
import { z } from 'zod';
import { createKafkaClient, type KafkaClient } from '../../platform/outgoing/kafka-client.ts';
import { outgoingErrorIn } from '../../platform/outgoing/outgoing-error.ts';
import { ConnectorError, excerptOf } from './connector-error.ts';
import { KafkaFeed } from './kafka-feed.ts';
import type { Piece, PullCall, Puller, PullFrom } from './puller.ts';

// Reads topics of Kafka as a member of a consumer group. How far a partition was read stands in the position of the
// connector; what the group knows is set after that, so that a broker that lost or never had it repeats nothing.

const positionSchema = z.object({
  /** The next offset by `topic partition`. */
  offsets: z.record(z.string(), z.string()).default({}),
});
type Offsets = z.output<typeof positionSchema>['offsets'];
type Call = PullCall<KafkaConfig>;

/** A turn without events gives way after so long. */
const IDLE_MS = 60_000;
const SAMPLE_MS = 8_000;
const AGAIN_MS = 1_000;

export const kafkaPuller: Puller<KafkaConfig> = { check, sample, pull };

function clientOf({ config, secrets, outgoing }: Call): KafkaClient {
  return createKafkaClient(outgoing, {
    brokers: config.brokers,
    isTls: config.tls,
    caCertificate: config.ca_certificate,
    ...(config.sasl === 'none'
      ? {}
      : {
          sasl: { mechanism: config.sasl, username: config.username, password: secrets.password ?? '' },
        }),
  });
}

/** An error of the library as one of ours: what a broker has said is told, how a connection failed is not. */
function failureOf(error: unknown): Error {
  const outgoing = outgoingErrorIn(error);
  if (outgoing !== null) return outgoing;
  if (error instanceof ConnectorError) return error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const isAuthentication = name === 'KafkaJSSASLAuthenticationError';
  return new ConnectorError(say('connectors.broker', { reason: excerptOf(message) }), {
    isLasting: isAuthentication,
  });
}

/** The broker is there, lets us in, and has the topics. */
async function check(call: Call): Promise<void> {
  const admin = clientOf(call).admin();
  try {
    await admin.connect();
    const known = new Set(await admin.listTopics());
    const missing = call.config.topics.find((topic) => !known.has(topic));
    if (missing !== undefined)
      throw new ConnectorError(say('connectors.noTopic', { topic: missing }), { isLasting: true });
  } catch (error) {
    throw failureOf(error);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

/** The newest messages of the topics, in a group that leaves nothing behind. */
async function sample(call: Call, most: number) {
  await check(call);
  const groupId = `tyrian-test-${Math.random().toString(36).slice(2)}`;
  const offsets = await recentOffsets(call, most);
  const feed = new KafkaFeed(clientOf(call), { groupId, topics: call.config.topics, fromBeginning: true });
  const records: string[] = [];
  const until = performance.now() + SAMPLE_MS;
  try {
    await feed.start(offsets);
    while (records.length < most && performance.now() < until) {
      const batch = await feed.next(Math.max(1, until - performance.now()), call.signal);
      if (batch === null) break;
      records.push(...batch.values.flatMap(recordsOfValue));
      batch.done();
    }
  } catch (error) {
    throw failureOf(error);
  } finally {
    await feed.stop();
  }
  return { records: records.slice(0, most), asked: `${call.config.topics.join(', ')}` };
}

/** Shortly before the end of each partition. */
async function recentOffsets(call: Call, most: number): Promise<Offsets> {
  const admin = clientOf(call).admin();
  const offsets: Offsets = {};
  try {
    await admin.connect();
    for (const topic of call.config.topics)
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
        const from = BigInt(high) - BigInt(most);
        offsets[`${topic} ${partition}`] = String(from > BigInt(low) ? from : BigInt(low));
      }
    return offsets;
  } catch (error) {
    throw failureOf(error);
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

function recordsOfValue(value: string): readonly string[] {
  const trimmed = value.trim();
  if (trimmed === '') return [];
  return /^[{[]/.test(trimmed)
    ? [onOneLine(trimmed)]
    : [...splitLines(trimmed)].filter((line) => line.trim() !== '');
}

async function* pull(call: PullFrom<KafkaConfig>): AsyncGenerator<Piece, number> {
  const { config, connectorId, signal } = call;
  const parsed = positionSchema.safeParse(call.position ?? {});
  let offsets: Offsets = parsed.success ? parsed.data.offsets : {};
  const groupId = config.group_id || `tyrian-${connectorId}`;
  const feed = new KafkaFeed(clientOf(call), {
    ...{ groupId, topics: config.topics, fromBeginning: config.from_beginning },
  });
  try {
    await feed.start(offsets);
    for (;;) {
      const batch = await feed.next(IDLE_MS, signal);
      if (batch === null) return AGAIN_MS;
      const next = { ...offsets, [batch.place]: batch.nextOffset };
      yield {
        records: batch.values.flatMap(recordsOfValue),
        position: { offsets: next },
        onStored: batch.commit,
      };
      offsets = next;
      batch.done();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error);
  } finally {
    await feed.stop();
  }
}
