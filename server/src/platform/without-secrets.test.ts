import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

describe('the log', () => {
  const logged = (entry: object): string => {
    const lines: string[] = [];
    createLog('info', { write: (line: string) => lines.push(line) }).info(entry, 'something');
    return lines.join('');
  };

  it('[S05] keeps secrets out at any depth, by their name', () => {
    const secret = 'kept-out-of-the-log';
    const line = logged({
      entry: { who: { userId: 'u1', ssid: secret, record: { SSID: secret, list: [{ apiKey: secret }] } } },
      headers: { authorization: secret, cookie: secret, host: 'console.example' },
      bindPassword: secret,
      private_key: secret,
      err: Object.assign(new Error('refused'), {
        code: '23505',
        token: secret,
        detail: `Key (ssid_hash)=(${secret}) already exists.`,
      }),
    });
    expect(line).not.toContain(secret);
    expect(JSON.parse(line)).toMatchObject({
      entry: { who: { userId: 'u1', ssid: '[secret]', record: { SSID: '[secret]' } } },
      headers: { host: 'console.example' },
      err: { type: 'Error', message: 'refused', code: '23505' },
    });
  });

  it('writes what refers to itself, is long or is no JSON', () => {
    const ring: Record<string, unknown> = {
      bytes: Buffer.from('abc'),
      items: Array.from({ length: 150 }, () => 1),
    };
    ring.self = ring;
    const line = logged(ring);
    expect(line).toContain('[deeper]');
    expect(line).toContain('[3 bytes]');
    expect(line).toContain('[50 more]');
  });
});
