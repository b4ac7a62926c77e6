import { describe, expect, it } from 'vitest';
import { defang, readArtifacts, refang } from './artifact-text.ts';

describe('artifacts as people write them', () => {
  it.each([
    ['203.0.113.10', 'ip'],
    ['2001:db8::1', 'ip'],
    ['::ffff:192.0.2.1', 'ip'],
    ['999.1.1.1', null],
    ['evil.example', 'domain'],
    ['_dmarc.evil.example', 'domain'],
    ['ana.b@mail.example.org', 'mail'],
    ['https://evil.example/a?b=c', 'url'],
    ['d41d8cd98f00b204e9800998ecf8427e', 'hash'],
    ['C:\\Users\\ana\\a b.exe', 'file'],
    ['/tmp/.x', 'file'],
    ['invoice.docm', 'file'],
    ['eve', null],
  ])('[R-C24] %s is: %s', (value, type) => {
    expect(readArtifacts(value)).toEqual([{ type, value }]);
  });

  it.each([
    ['hxxps://evil[.]example/a', 'https://evil.example/a'],
    ['hXXp[://]evil(dot)example', 'http://evil.example'],
    ['203[.]0[.]113[.]10', '203.0.113.10'],
    ['ana[at]example[dot]org', 'ana@example.org'],
    ['https://example.org/a[1].txt', 'https://example.org/a[1].txt'],
  ])('[R-C24] makes %s whole again: %s', (text, value) => {
    expect(refang(text)).toBe(value);
  });

  it('[R-C24] reads many at once, each once, out of lists, rows and quotes', () => {
    const text =
      '- evil[.]example\n"203.0.113.10", 203.0.113.11;\n192.0.2.1 192.0.2.2\nEVIL.example\nmade by hand';
    expect(readArtifacts(text).map((each) => each.value)).toEqual([
      'evil.example',
      '203.0.113.10',
      '203.0.113.11',
      '192.0.2.1',
      '192.0.2.2',
      'made by hand',
    ]);
  });

  it.each(['https://evil.example/a.b?c=d.e', 'http://203.0.113.10:8080/x', 'evil.example', '203.0.113.10'])(
    '[R-C25] writes %s so that nothing makes a link of it, and reads it back',
    (value) => {
      expect(defang(value)).not.toMatch(/https?:|evil\.example|203\.0/);
      expect(refang(defang(value))).toBe(value);
    },
  );
});
