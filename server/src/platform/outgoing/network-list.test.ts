import { describe, expect, it } from 'vitest';
import { addressRules, parseNetworks } from './network-list.ts';

describe('addresses that users may name', () => {
  const nothingListed = addressRules([]);

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.192',
    '192.0.2.7',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.250',
    '255.255.255.255',
    '240.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '::7f00:1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::1',
    '2002:a00:1::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '',
  ])('[S02] %s is closed', (address) => {
    expect(nothingListed.isOpen(address)).toBe(false);
    expect(nothingListed.isListed(address)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '192.0.1.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '64:ff9b::808:808',
  ])('%s is public', (address) => {
    expect(nothingListed.isOpen(address)).toBe(true);
    expect(nothingListed.isListed(address)).toBe(false);
  });

  it('a listed network is open in each of its spellings, and no other is', () => {
    const rules = addressRules(parseNetworks(' 10.1.0.0/16, 192.168.7.4 ,fd00:1::/32,'));
    for (const open of ['10.1.2.3', '::ffff:10.1.2.3', '192.168.7.4', 'fd00:1::9', '8.8.8.8']) {
      expect(rules.isOpen(open), open).toBe(true);
    }
    for (const closed of [
      '10.2.0.1',
      '192.168.7.5',
      'fd00:2::9',
      '127.0.0.1',
      '64:ff9b::10.1.2.3',
      '2002:a01:203::',
    ]) {
      expect(rules.isOpen(closed), closed).toBe(false);
    }
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0',
    'localhost',
    '10.0.0.0/8/8',
    'fd00::/129',
    '10.0.0.0/-1',
    'fe80::1%eth0',
    '10.0.0.1:389',
  ])('refuses %s as a network, with words', (text) => {
    expect(() => parseNetworks(`127.0.0.1, ${text}`)).toThrow(`${text} is no network`);
  });
});
