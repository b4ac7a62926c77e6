import { describe, expect, it } from 'vitest';
import { LINTS, type LintContext, type LintKey, lintSigma } from '../index.ts';

// Each check finds what it is for, at its place; a rule without fault has no finding.

const CLEAN = `title: Whoami Run by a Service
id: 4a1c9a1e-6c3b-4f5f-9a7e-0f6f5b1f2a3c
status: test
description: Somebody asks who they are from a service account.
references:
  - https://example.org/a
author: Somebody
date: 2024-02-25
tags:
  - attack.discovery
  - attack.t1033
logsource:
  category: process_creation
  product: windows
detection:
  selection:
    Image|endswith: '\\whoami.exe'
  filter:
    User|contains: 'admin'
  condition: selection and not filter
falsepositives:
  - Scripts of administrators
level: high
`;

const CONTEXT: LintContext = {
  attack: { techniques: new Set(['T1033']), tactics: new Set(['discovery']) },
  takenIds: new Map([['11111111-1111-4111-8111-111111111111', 'Another rule']]),
};

/** What is changed in the clean rule, and the text that the finding stands at. */
const CASES: Readonly<Record<LintKey, readonly [from: string | RegExp, to: string, at?: string]>> = {
  idMissing: [/id: .*\n/, ''],
  idNotUuid: ['4f5f', '1f5f'],
  idTaken: [/id: .*\n/, 'id: 11111111-1111-4111-8111-111111111111\n'],
  titleTooLong: ['a Service', `a ${'Service '.repeat(14)}`],
  titleCase: ['Run by', 'run by'],
  titlePeriod: ['Service', 'Service.', 'Whoami Run by a Service.'],
  titleDetects: ['Whoami Run', 'Detects Whoami Run'],
  statusMissing: ['status: test\n', ''],
  statusUnknown: ['status: test', 'status: fine', 'fine'],
  levelMissing: ['level: high\n', ''],
  levelUnknown: ['level: high', 'level: High', 'High'],
  descriptionMissing: [/description: .*\n/, ''],
  descriptionShort: [/description: .*\n/, 'description: Whoami\n', 'Whoami'],
  dateMissing: [/date: .*\n/, ''],
  dateFormat: ['2024-02-25', '2024/02/25', '2024/02/25'],
  modifiedBeforeDate: ['date: 2024-02-25', 'date: 2024-02-25\nmodified: 2023-01-01', '2023-01-01'],
  authorMissing: ['author: Somebody\n', ''],
  falsepositivesMissing: [/falsepositives:\n.*\n/, ''],
  falsepositivesEmpty: ['Scripts of administrators', 'None', 'None'],
  falsepositivesCase: ['Scripts of', 'scripts of', 'scripts of administrators'],
  referenceTwice: ['  - https://example.org/a\n', '  - https://example.org/a\n  - https://example.org/a\n'],
  referenceNoLink: ['https://example.org/a', 'Internal', 'Internal'],
  keyUnknown: ['status:', 'priority: 1\nstatus:', 'priority'],
  keyLike: ['description:', 'desciption:', 'desciption'],
  tagFormat: ['attack.t1033', 'attack.T1033', 'attack.T1033'],
  tagNamespace: ['attack.t1033', 'attak.t1033', 'attak.t1033'],
  tagTwice: ['- attack.t1033', '- attack.t1033\n  - attack.t1033', 'attack.t1033'],
  techniqueUnknown: ['attack.t1033', 'attack.t9999', 'attack.t9999'],
  tacticUnknown: ['attack.discovery', 'attack.discover', 'attack.discover'],
  tagValue: ['attack.t1033', 'tlp.blue', 'tlp.blue'],
  relatedType: [
    'status:',
    'related:\n  - id: 11111111-1111-4111-8111-111111111111\n    type: child\nstatus:',
    'child',
  ],
  relatedId: ['status:', 'related:\n  - id: one\n    type: derived\nstatus:', 'one'],
  listExpected: ['references:\n  - https', 'references: https', 'references'],
  whitespaceAtEnd: ['level: high', 'level: high  ', '  '],
  selectionUnused: ['selection and not filter', 'selection', 'filter'],
  themWithOne: [/ {2}filter:[\s\S]*?filter\n/, '  condition: 1 of them\n', '1 of them'],
  allOfThem: ['selection and not filter', 'all of them', 'all of them'],
  patternWithOne: ['selection and not filter', '1 of selec* and not filter'],
  conditionList: [
    'condition: selection and not filter',
    'condition:\n    - selection\n    - filter',
    'condition',
  ],
  contradiction: ['selection and not filter', 'selection and not (filter or selection)'],
  alwaysTrue: ['selection and not filter', 'selection or not selection or filter'],
  negatedOnly: ['selection and not filter', 'not filter and not selection'],
  timeframe: ['  condition:', '  timeframe: 5m\n  condition:', 'timeframe'],
  sameSelections: ["User|contains: 'admin'", "Image|endswith: '\\whoami.exe'", 'filter'],
  doubleWildcard: ["'admin'", "'ad**min'", "'ad**min'"],
  numberAsText: ["User|contains: 'admin'", "LogonType: '3'", "'3'"],
  controlCharacter: ["'admin'", '"ad\\bmin"', '"ad\\bmin"'],
  wildcardForModifier: ["User|contains: 'admin'", "User: 'admin*'", "'admin*'"],
  escapedWildcard: ["'admin'", "'adm\\*in'", "'adm\\*in'"],
  whitespaceAround: ["User|contains: 'admin'", "User: ' admin'", "' admin'"],
  wildcardAlone: ["User|contains: 'admin'", "User: '*'", "'*'"],
  valueTwice: ["'admin'", "['admin', 'admin']", "'admin'"],
  regexPlain: ["User|contains: 'admin'", "User|re: '^admin'", "'^admin'"],
  regexOpen: ["User|contains: 'admin'", "User|re: '.*adm[i1]n'", "'.*adm[i1]n'"],
  allWithOne: ['User|contains', 'User|contains|all', 'User|contains|all'],
  allWithoutPart: ["User|contains: 'admin'", "User|all: ['one', 'two']", 'User|all'],
  offsetWithoutContains: ['User|contains', 'User|base64offset', 'User|base64offset'],
  wildcardWithModifier: ["'admin'", "'admin*'", "'admin*'"],
  networkAsText: ["User|contains: 'admin'", "SourceIp: '10.1.*'", "'10.1.*'"],
  fieldSpaces: ["User|contains: 'admin'", "'User |contains': 'admin'", "'User |contains'"],
  shortText: ["'admin'", "'ad'", "'ad'"],
  sourceUnknown: ['category: process_creation\n  product: windows', 'product: abacus'],
  sourceSpecific: [
    /category: [\s\S]*exe'/,
    "product: windows\n  service: sysmon\ndetection:\n  selection:\n    EventID: 1\n    Image: 'C:\\whoami.exe'",
    '1',
  ],
  sourceKey: ['  product: windows', '  product: windows\n  vendor: microsoft', 'vendor'],
  sourceCase: ['product: windows', 'product: Windows', 'Windows'],
  fieldUnmapped: ['User|contains', 'Colour|contains', 'Colour|contains'],
  fieldCase: ['Image|endswith', 'image|endswith', 'image|endswith'],
  eventRepeats: ["Image|endswith: '\\whoami.exe'", "EventID: 1\n    Image: 'C:\\whoami.exe'", '1'],
  noLiteral: ["Image|endswith: '\\whoami.exe'", "Image|re: '[a-z]+|x'", 'selection and not filter'],
  wantsThreshold: [
    /title: .*\n([\s\S]*)Image\|endswith: '.whoami.exe'/,
    "title: Multiple Failed Logons\n$1EventID: 4625\n    Image: 'C:\\whoami.exe'",
    'Multiple Failed Logons',
  ],
  keywordsAlone: [
    /detection:\n[\s\S]*filter\n/,
    "detection:\n  words: ['whoami']\n  condition: words\n",
    "'whoami'",
  ],
};

describe('the linter', () => {
  it('[T-sigma-lint] has nothing to say of a rule without fault', () => {
    expect(lintSigma(CLEAN, CONTEXT)).toEqual([]);
  });

  it.each(Object.entries(CASES))('[T-sigma-lint] %s', (key, [from, to, at]) => {
    const text = typeof from === 'string' ? CLEAN.replace(from, () => to) : CLEAN.replace(from, to);
    expect(text).not.toBe(CLEAN);
    const finding = lintSigma(text, CONTEXT).find((one) => one.key === key);
    expect(finding, JSON.stringify(lintSigma(text, CONTEXT))).toMatchObject({
      code: LINTS[key as LintKey][0],
      severity: LINTS[key as LintKey][1],
    });
    expect(finding?.message).not.toContain('{{');
    if (at !== undefined) expect(text.slice(finding?.span.start, finding?.span.end)).toContain(at);
  });

  it('[T-sigma-lint] codes are there once, and a text that is no YAML has none', () => {
    const codes = Object.values(LINTS).map(([code]) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(lintSigma('title: "')).toEqual([]);
    expect(lintSigma('')).toEqual([]);
  });

  it('[T-sigma-lint] says nothing of ATT&CK and of ids that it was not told of', () => {
    const text = CLEAN.replace('attack.t1033', 'attack.t9999');
    expect(lintSigma(text)).toEqual([]);
  });
});
