import { describe, expect, it } from 'vitest';
import { readSigma } from '../index.ts';

const RULE = `title: Whoami
id: 4a1c9a1e-6c3b-4f5f-9a7e-0f6f5b1f2a3c
name: whoami_run
status: test
level: high
author: Somebody
license: DRL-1.1
date: 2024-02-25
references: [https://example.org/a]
falsepositives:
  - Administrators
tags: [attack.discovery, attack.defense-evasion, attack.t1033, attack.t1059.001, attack.g0010, cve.2021-1]
logsource: {product: Windows, category: process_creation}
detection:
  selection: {Image: whoami.exe}
  condition: selection
`;

describe('reading Sigma', () => {
  it('[T-sigma] what a rule says of itself', () => {
    const [read] = readSigma(RULE);
    expect(read).toMatchObject({
      ok: true,
      document: {
        kind: 'rule',
        title: 'Whoami',
        name: 'whoami_run',
        status: 'test',
        level: 'high',
        author: 'Somebody',
        license: 'DRL-1.1',
        date: '2024-02-25',
        references: ['https://example.org/a'],
        falsepositives: ['Administrators'],
        techniques: ['T1033', 'T1059.001'],
        tactics: ['discovery', 'defense-evasion'],
        logSource: { product: 'windows', category: 'process_creation' },
        remarks: [],
      },
    });
  });

  it('[T-sigma] an unknown status is remarked and keeps nothing from running', () => {
    const [read] = readSigma(RULE.replace('status: test', 'status: fine'));
    expect(read?.ok && read.document.remarks.map(({ code }) => code)).toEqual(['SIG200']);
  });

  it('[T-sigma] global values hold for the documents behind them', () => {
    const text = `action: global\ntitle: Shared\nlogsource: {product: windows}\ndetection:\n  condition: a\n---
detection:\n  a: {x: 1}\n---\ntitle: Own\ndetection:\n  a: {x: 2}\n`;
    expect(readSigma(text).map((one) => one.ok && one.document.title)).toEqual(['Shared', 'Own']);
  });
});
