import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Authorizer } from './caller.ts';
import { createHttpApp } from './create-http-app.ts';
import { createProxyTrust, networkOf, parseTrustedProxies } from './trusted-proxies.ts';

const lines: string[] = [];
const log = pino(
  { level: 'warn' },
  new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  }),
);
const authorizer: Authorizer = { authenticate: async () => null } as never;
const proxies = createProxyTrust([], log);
let app: FastifyInstance;

beforeAll(async () => {
  app = await createHttpApp({
    log,
    authorizer,
    trail: { refused: async () => undefined, forgotten: async () => undefined },
    whyUnavailable: () => null,
    checkOutput: true,
    proxies,
    perMinute: 3,
  });
  app.get('/who', (request) => ({ ip: request.ip, protocol: request.protocol, host: request.host }));
});
afterAll(() => app?.close());

describe('X-Forwarded-For without TYRIAN_TRUSTED_PROXIES', () => {
  it('[S12] is ignored, told once in the log and to administrators, and buys no further calls', async () => {
    expect(proxies.notice()).toBeNull();
    const answers = [];
    for (let round = 0; round < 4; round++) {
      const headers = {
        host: 'console.example',
        'x-forwarded-for': `203.0.113.${round}`,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'evil.example',
        forwarded: 'for=203.0.113.9;proto=https;host=evil.example',
      };
      answers.push(await app.inject({ url: '/who', remoteAddress: '127.0.0.1', headers }));
    }
    expect(answers[0]?.json()).toEqual({ ip: '127.0.0.1', protocol: 'http', host: 'console.example' });
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 429]);
    expect(lines.filter((line) => line.includes('TYRIAN_TRUSTED_PROXIES'))).toHaveLength(1);
    expect(proxies.notice()).toMatchObject({ code: 'components.proxyNotNamed' });
  });
});

describe('the list of trusted proxies', () => {
  it('takes addresses and networks', () => {
    expect(parseTrustedProxies('127.0.0.1, ::1,10.0.0.0/8 ,fd00::/64')).toEqual([
      '127.0.0.1',
      '::1',
      '10.0.0.0/8',
      'fd00::/64',
    ]);
  });

  it.each([
    '',
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0',
    '10.0.0.1,',
    'fe80::1%eth0',
    '1.2.3.4/8/8',
  ])('refuses %j', (text) => {
    expect(() => parseTrustedProxies(text)).toThrow(/must be addresses or networks/);
  });

  it.each(['0.0.0.0/0', '10.0.0.1,::/0'])('[S12] refuses %s, which would believe everybody', (text) => {
    expect(() => parseTrustedProxies(text)).toThrow(/believe everybody/);
  });
});

it.each([
  ['203.0.113.1', '203.0.113.1'],
  ['::ffff:203.0.113.1', '203.0.113.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['socket', 'socket'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
