import { Kafka, logLevel, type Producer } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectorRunner } from './connector-runner.ts';
import { type ConnectorSetup, connectorSetup } from './testing/connector-setup.ts';
import { hasMockBroker, type MockBroker, startMockBroker } from './testing/mock-broker.ts';

describe.skipIf(!hasMockBroker())('Kafka', () => {
  let setup: ConnectorSetup;
  let broker: MockBroker;
  let producer: Producer;

  beforeAll(async () => {
    [setup, broker] = await Promise.all([connectorSetup(), startMockBroker()]);
    producer = new Kafka({ brokers: [broker.address], logLevel: logLevel.NOTHING }).producer({
      allowAutoTopicCreation: true,
    });
    await producer.connect();
  });
  afterAll(async () => {
    await producer?.disconnect();
    broker?.stop();
    await setup?.close();
  });

  const send = (...values: readonly string[]) =>
    producer.send({ topic: 'logs', messages: values.map((value) => ({ value })) });
  const textsOf = async (source: string) => [...(await setup.texts(source))].sort();
  const until = (source: string, texts: readonly string[]) =>
    expect.poll(() => textsOf(source), { timeout: 30_000, interval: 100 }).toEqual(texts);
  const config = (more: object = {}) => ({
    ...{ brokers: [broker.address], topics: ['logs'], tls: false, from_beginning: true, ...more },
  });

  async function during<T>(runner: ConnectorRunner, work: () => Promise<T>): Promise<T> {
    await runner.start();
    try {
      return await work();
    } finally {
      await runner.stop();
    }
  }

  it('[T-CONNECTORS] reads a topic from its beginning, and another process goes on behind what was stored', async () => {
    await send('{"n":1}', '{\n"n": 2}', 'three');
    const { id } = await setup.create('topic', 'kafka', config());
    const first = ['three', '{ "n": 2}', '{"n":1}'];
    await during(setup.otherRunner(), () => until('topic', first));
    expect(await setup.find(id)).toMatchObject({ state: 'running', validation: { status: 'ok' } });
    await send('four');
    await during(setup.otherRunner(), () => until('topic', ['four', ...first]));
    const { data } = await setup.try(id);
    expect(data.records.map(({ raw }) => raw).sort()).toEqual(['four', ...first]);
    await setup.act(id, 'stop');
  });

  it('[T-CONNECTORS] tells of a topic that is not there', async () => {
    const { id } = await setup.create('no topic', 'kafka', config({ topics: ['not-there'] }));
    await setup.turn();
    expect((await setup.find(id)).validation.reason?.message).toBe('The broker has no topic not-there');
  });
});
