// Events whose values are the ones that go wrong: missing, empty, equal but for case, beyond ASCII, at the limits of
// their types, and of several types below one path.

const STREAMS = ['Dns', 'ProcessEvent', 'WebSession'] as const;

const TEXTS = [
  '',
  'alpha',
  'Alpha',
  'ALPHA beta',
  'beta-gamma_1',
  ' spaced ',
  'straße',
  'STRASSE',
  'İstanbul',
  'naïve café',
  '日本語 テキスト',
  '😀 smile',
  'a\tb\nc',
  'quote " and \' and \\',
  '%_.*[x]',
  '10.1.2.3',
  '42',
  '-7',
  '3.5',
  'true',
  'null',
  '{"k":[1,2]}',
  '2026-01-01T00:00:00Z',
  'C:\\Windows\\System32\\cmd.exe /c whoami',
] as const;

const LONGS = [null, 0, 1, -1, 7, 42, 1000, 65_535, 2_147_483_648, '9007199254740993', '-9007199254740993'];
const INTS = [null, 0, 1, -1, 22, 443, 4624, 2_147_483_647];
const MIXED = [1, 1.5, 'one', true, null, [1, 'two', null], { k: 1 }, '2', 42];

const at = <T>(list: readonly T[], n: number): T => {
  const found = list[((n % list.length) + list.length) % list.length];
  if (found === undefined) throw new Error('an empty list');
  return found;
};

/** Columns of event `n`, without its time. Neighbours share some values and not others. */
function oddColumns(n: number): Record<string, unknown> {
  return {
    Scope: 's1',
    Stream: at(STREAMS, n),
    DvcHostname: at(['', 'h1', 'H1', 'h2', 'straße'], n * 3),
    ActorUsername: at(TEXTS, n * 5),
    CommandLine: at(TEXTS, n),
    Raw: `${at(TEXTS, n)} ${at(TEXTS, n * 7 + 1)}`,
    SrcIpAddr: at(['10.1.2.3', '10.1.2.4', '192.168.0.1', '', 'fe80::1', 'no address'], n * 2),
    EventID: at(INTS, n * 3),
    DstPortNumber: at(INTS, n * 5 + 2),
    SrcBytes: at(LONGS, n * 7),
    DstBytes: at(LONGS, n * 2 + 1),
    Ext: {
      ...(n % 4 === 0 ? {} : { s: at(TEXTS, n * 11) }),
      ...(n % 3 === 0 ? {} : { n: n % 7 }),
      ...(n % 5 === 0 ? {} : { list: Array.from({ length: n % 4 }, (_, index) => (index + n) % 3) }),
      mixed: at(MIXED, n),
    },
  };
}

/** Event `n`: its time in epoch milliseconds and its columns. Some events share their time. */
export const oddEvent = (n: number): Record<string, unknown> & { TimeGenerated: number } => ({
  TimeGenerated: Date.UTC(2026, 0, 1) + Math.floor(n / 3) * 977_000,
  ...oddColumns(n),
});
