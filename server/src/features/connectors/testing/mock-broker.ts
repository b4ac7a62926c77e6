import { spawn, spawnSync } from 'node:child_process';

// A broker of Kafka for tests: the mock cluster inside of librdkafka, which kcat starts. It speaks the protocol of groups,
// offsets and messages, and knows neither sign-in nor TLS.

/** Whether kcat (Debian package of that name) is installed. */
export const hasMockBroker = (): boolean => spawnSync('kcat', ['-V']).status === 0;

export interface MockBroker {
  /** host:port */
  readonly address: string;
  stop(): void;
}

export async function startMockBroker(): Promise<MockBroker> {
  const options = ['-C', '-b', 'ignored', '-t', 'unused', '-X', 'test.mock.num.brokers=1', '-d', 'mock'];
  const child = spawn('kcat', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.once('exit', () => reject(new Error(`kcat ended: ${said.slice(0, 500)}`)));
    child.stderr.on('data', (part: Buffer) => {
      said = (said + part.toString()).slice(-10_000);
      const found = /bootstrap\.servers=(\S+:\d+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { address, stop: () => void child.kill() };
}
