import fs from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../run-command.ts';
import { matchLines } from './testing/match-lines.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tyrian-sigma-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const rule = (detection: string, logSource = 'product: windows, category: process_creation'): string =>
  `title: R\nlogsource: {${logSource}}\ndetection:\n  s:\n    ${detection}\n  condition: s\n`;
const sysmon = (id: number, data: Record<string, unknown>, time = '2026-01-01T00:00:00Z') => ({
  Event: {
    System: {
      Provider: { '#attributes': { Name: 'Microsoft-Windows-Sysmon' } },
      EventID: id,
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      TimeCreated: { '#attributes': { SystemTime: time } },
      Computer: 'pc',
    },
    EventData: data,
  },
});
const started = (CommandLine: string, more: Record<string, unknown> = {}, time?: string) =>
  sysmon(1, { Image: 'C:\\Windows\\cmd.exe', CommandLine, ...more }, time);

const EVENTS = [
  started('CMD /c whoami', { FileVersion: '1.2' }),
  started('cmd –enc AAAA', { User: 'pc\\ana' }),
  sysmon(3, { Image: 'C:\\a.exe', DestinationIp: '10.1.2.3', DestinationPort: 443, Initiated: 'true' }),
  { eventSource: 's3.amazonaws.com', eventName: 'GetObject', awsRegion: 'x', userIdentity: { type: 'Root' } },
];

const RULES: readonly (readonly [yaml: string, events: readonly number[]])[] = [
  [rule("CommandLine|contains: 'WHOAMI'"), [0]],
  [rule("CommandLine|contains|cased: 'WHOAMI'"), []],
  [rule("CommandLine|contains|windash: '-enc'"), [1]],
  [rule("CommandLine: 'cmd*who?mi'"), [0]],
  [rule("CommandLine|re: '(cmd) '"), [1]],
  [rule("FileVersion: '1.2'"), [0]],
  [rule('FileVersion: null'), [1]],
  [rule('FileVersion|exists: true'), [0]],
  [rule("FileVersion|neq: '1.2'"), [1]],
  [
    rule(
      "DestinationIp|cidr: '10.0.0.0/8'\n    Initiated: 'true'",
      'product: windows, category: network_connection',
    ),
    [2],
  ],
  [rule('DestinationPort|lt: 1000', 'product: windows, category: network_connection'), [2]],
  [rule('DestinationPort|neq: 443', 'product: windows, category: network_connection'), []],
  [rule("userIdentity.type: 'Root'\n    eventName: 'getobject'", 'product: aws, service: cloudtrail'), [3]],
  [rule('CommandLine|fieldref|startswith: CommandLine'), [0, 1]],
  [rule('TimeGenerated|hour: 0'), [0, 1]],
  [
    `title: K\nlogsource: {product: windows, service: sysmon}\ndetection:\n  k: ['Windows\\cmd.exe']\n  condition: k\n`,
    [0, 1],
  ],
];

const correlation = (type: string, rest: string): string =>
  `title: a\nname: a\nlogsource: {product: windows, category: process_creation}\ndetection:\n  s: {CommandLine: 'a'}\n  condition: s\n---
title: b\nname: b\nlogsource: {product: windows, category: process_creation}\ndetection:\n  s: {CommandLine: 'b'}\n  condition: s\n---
title: C\ncorrelation:\n  type: ${type}\n  group-by: [User]\n  timespan: 5m\n${rest}`;

describe('tyrian sigma match', () => {
  it('[T-sigma] rules fire on their events, each line for itself', { timeout: 240_000 }, async () => {
    const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`;
    const ana = { User: 'ana' };
    const timed = [
      started('a', ana, at(0)),
      started('b', ana, at(4)),
      started('b', { User: 'eve' }, at(4)),
      started('a', ana, at(20)),
      started('b', ana, at(26)),
      started('a', ana, at(27)),
    ];
    const correlations: readonly (readonly [yaml: string, event: number])[] = [
      [correlation('temporal_ordered', '  rules: [a, b]\n'), 1],
      [correlation('temporal', '  rules: [a, b]\n'), 5],
      [correlation('event_count', '  rules: [a, b]\n  condition: {gte: 2}\n'), 5],
      [correlation('value_count', '  rules: [a, b]\n  condition: {field: CommandLine, gte: 2}\n'), 5],
    ];
    const [first, second, third, fourth] = await matchLines([
      { id: 'one', rules: RULES.map(([yaml]) => yaml), events: EVENTS },
      { id: 'two', rules: [RULES[0]?.[0], rule('x|foo: 1'), 'title: "'], events: [EVENTS[1]] },
      { id: 'three', rules: correlations.map(([yaml]) => yaml), events: timed },
      { id: 'four' },
    ]);
    const expected = RULES.flatMap(([, events], index) => events.map((event) => ({ rule: index, event })));
    expect(first).toEqual({ id: 'one', fired: expected, refused: [] });
    expect(second?.fired).toEqual([]);
    expect(second?.refused.map(({ rule: number }) => number)).toEqual([1, 2]);
    expect(third?.refused).toEqual([]);
    // The events that complete a correlation: those that come last in their window.
    const completing = (index: number) =>
      third?.fired.filter((one) => one.rule === index).map(({ event }) => event);
    expect(completing(0)).toContain(1);
    expect(completing(0)).not.toContain(5);
    for (const index of [1, 2, 3]) expect(completing(index)).toEqual(expect.arrayContaining([1, 5]));
    expect(fourth?.error).toContain('line 4');
  });
});

const corpus = path.resolve(import.meta.dirname, '../../../../../shared/corpora/sigma-regression.jsonl');

interface Case {
  readonly rule_id: string;
  readonly rule_yaml: string;
  readonly event: unknown;
  readonly more_events?: readonly unknown[];
  readonly oracle_fires: readonly (readonly string[])[];
}

describe.skipIf(!fs.existsSync(corpus))('the regression cases of SigmaHQ', () => {
  it('[T-sigma] over all rules and all events the pairs that another evaluator finds', {
    timeout: 400_000,
  }, async () => {
    const cases = fs
      .readFileSync(corpus, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Case);
    const ids = cases.map((one) => one.rule_id);
    const events = cases.flatMap((one) => [one.event, ...(one.more_events ?? [])]);
    const wanted = cases.flatMap((one) =>
      one.oracle_fires.map((fires) => fires.filter((id) => ids.includes(id))),
    );
    const [answer] = await matchLines([{ id: 1, rules: cases.map((one) => one.rule_yaml), events }]);
    const found = events.map((_, event) =>
      (answer?.fired ?? []).filter((one) => one.event === event).map((one) => ids[one.rule]),
    );
    expect(answer?.refused).toEqual([]);
    expect(found.map((fires) => fires.sort())).toEqual(wanted.map((fires) => [...fires].sort()));
  });
});

describe('tyrian sigma check', () => {
  it('[T-sigma] one line for each rule, and totals without --json', async () => {
    await writeFile(path.join(folder, 'good.yml'), RULES[0]?.[0] ?? '');
    await writeFile(path.join(folder, 'bad.yaml'), 'title: "');
    await writeFile(path.join(folder, 'notes.txt'), 'no rule');
    let said = '';
    const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said += text;
      return true;
    });
    try {
      expect(await runCommand(['sigma', 'check', '--json', folder], {})).toBe(0);
      const lines = said
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines.map(({ verdict, title }) => [verdict, title])).toEqual([
        ['invalid', null],
        ['runs', 'R'],
      ]);
      said = '';
      await runCommand(['sigma', 'check', folder], {});
      expect(said).toContain('2 rules');
      expect(said).toMatch(/1 {2}runs/);
    } finally {
      out.mockRestore();
    }
  });
});
