import { describe, expect, it } from 'vitest';
import { matchTotp, newTotpSecret, totpCode, totpUri } from './totp.ts';

// The secret and times of RFC 6238, appendix B; its codes have eight digits, of which apps show the last six.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('codes of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('[C003] at %i s the code is %s, as RFC 6238 says', (seconds, code) => {
    expect(totpCode(SECRET, seconds * 1000)).toBe(code);
  });

  it('[C003][S4-22] takes the step before and after, once each, and nothing farther away', () => {
    const now = 1_234_567_890_000;
    const step = Math.floor(now / 30_000);
    const at = (offset: number) => matchTotp(SECRET, totpCode(SECRET, now + offset * 30_000), now, 0);
    expect([-2, -1, 0, 1, 2].map(at)).toEqual([null, step - 1, step, step + 1, null]);
    expect(matchTotp(SECRET, '005 924', now, 0)).toBe(step);
    expect(matchTotp(SECRET, '005924', now, step)).toBeNull();
    expect(matchTotp(SECRET, '005924', now, step - 1)).toBe(step);
    for (const typed of ['', '5924', '0059245', 'abcdef', '００５９２４'])
      expect(matchTotp(SECRET, typed, now, 0)).toBeNull();
  });

  it('secrets have 160 bits and differ; the address says whose they are', () => {
    const secrets = Array.from({ length: 100 }, newTotpSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(totpUri(SECRET, 'Tyrian', 'a b@x.example')).toBe(
      `otpauth://totp/Tyrian:a%20b%40x.example?secret=${SECRET}&issuer=Tyrian`,
    );
  });
});
