import { describe, expect, it } from 'vitest';
import { readYaml } from './read-yaml.ts';

describe('YAML that somebody sends', () => {
  it('[R-C32] is read with its texts as they are', () => {
    const text =
      'name: "näh: \\"x\\""\nblocks:\n  - body: |-\n      a | where b == "{[?"\n      - - - -\ntags: [a, b]\n';
    expect(readYaml(text)).toEqual({
      ok: true,
      value: { name: 'näh: "x"', blocks: [{ body: 'a | where b == "{[?"\n- - - -' }], tags: ['a', 'b'] },
    });
  });

  it('[R-C32] names the line of what is wrong, repeated keys too', () => {
    expect(readYaml('a: 1\nb: [\n')).toMatchObject({ ok: false, problems: [{ line: 3 }] });
    expect(readYaml('a: 1\nb: 2\na: 3')).toEqual({
      ok: false,
      problems: [{ said: expect.objectContaining({ text: 'a is given twice' }), line: 3 }],
    });
  });

  it.each([
    ['sequences', '['.repeat(200_000)],
    ['mappings', '{a: '.repeat(100_000)],
    ['explicit keys', '? '.repeat(200_000)],
    ['indented explicit keys', Array.from({ length: 900 }, (_, at) => `${' '.repeat(at)}?`).join('\n')],
    ['dashes', '- '.repeat(200_000)],
    ['tags', '!a '.repeat(160_000)],
    ['many keys', Array.from({ length: 60_000 }, (_, at) => `k${at}: 1`).join('\n')],
    ['aliases', `- &a 1\n${'- *a\n'.repeat(7_000)}`],
  ])('[R-C32] is refused before it costs anything: %s', (_what, text) => {
    expect(readYaml(text).ok).toBe(false);
  });
});
