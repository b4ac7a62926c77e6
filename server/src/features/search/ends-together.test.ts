import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { answerOverTexts, quoted } from './testing/answer-over-texts.ts';
import { seededChoice } from './testing/seeded-choice.ts';

// Several ends of one text are looked up in a list, by what stands behind the last backslash, slash or dot.

const SEED = 20_261_128;
const LISTS = 60;
const ENDINGS = [
  ...['\\cmd.exe', '\\CMD.EXE', '\\pwsh.exe', '\\', '\\a', '/sh', '/bin/sh', '.exe', '.EXE', '.e', '.'],
  ...['\\sub\\cmd.exe', 'cmd.exe', 'exe', 'e', ' e', '\\\u0131', '\\cmd\u212A', '\u00e9', ' '],
];
const TEXTS = [
  ...[
    'C:\\Windows\\cmd.exe',
    'C:\\Windows\\CMD.exe',
    'cmd.exe',
    '\\cmd.exe',
    'x\\cmd.exe.exe',
    'x\\pwsh.exe ',
  ],
  ...[
    'C:\\',
    '\\',
    '',
    '.',
    '..',
    'a',
    '\\a',
    '\\A',
    '/bin/sh',
    '/BIN/SH',
    'sh',
    '//sh',
    'x.e',
    'x e',
    'e',
    'E',
  ],
  ...[
    'C:\\sub\\cmd.exe',
    'x\\cmd.exe\\',
    'x\\\u0131',
    'x\\\u0130',
    'x\\cmd\u212A',
    'x\\cmdK',
    'caf\u00e9',
    'CAF\u00c9',
  ],
  ...['x\\cmd.exe\n', 'x\ncmd.exe', '\u{1F600}\\cmd.exe', '\u{1F600}.exe'],
];

let platform: TestPlatform;
let clusterId: string;
beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
});
afterAll(() => platform?.close());

it.each(['endswith', 'endswith_cs'])(
  '[T-sigma] hold for the texts that each of them alone holds for: %s',
  async (search) => {
    const choose = seededChoice(SEED, 0);
    const list = (): readonly string[] =>
      Array.from({ length: 3 + choose.below(5) }, () => choose.of(ENDINGS));
    const lists = [ENDINGS, ...Array.from({ length: LISTS }, list)];
    const tests = ENDINGS.map((ending, at) => `e${at} = t ${search} ${quoted(ending)}`);
    const joined = lists.map((some, at) => {
      return `l${at} = ${some.map((ending) => `t ${search} ${quoted(ending)}`).join(' or ')}`;
    });
    const rows = await answerOverTexts(platform, clusterId, {
      columns: ['t'],
      rows: TEXTS.map((text) => [text]),
      query: `| project t, ${[...tests, ...joined].join(', ')}`,
    });
    for (const [text, ...found] of rows) {
      const holding = new Set(ENDINGS.filter((_, at) => found[at]));
      const wanted = lists.map((some) => some.some((ending) => holding.has(ending)));
      expect([text, found.slice(ENDINGS.length)]).toEqual([text, wanted]);
    }
    expect(rows).toHaveLength(TEXTS.length);
  },
);
