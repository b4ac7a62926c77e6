import { describe, expect, it } from 'vitest';
import {
  canAsk,
  chooseConditions,
  type DraftEvent,
  draftCandidates,
  draftConditionKql,
  draftKind,
  draftKql,
  draftRuleText,
  fulfils,
  judgeSigma,
  kqlOf,
  lintSigma,
  logSourcesOf,
  othersLeft,
  readOneSigma,
  sigmaFieldOf,
  sigmaLibrary,
} from '../index.ts';

// Choosing what tells events from others, and writing it down as a rule.

const sysmon: DraftEvent = {
  Stream: 'ProcessEvent',
  EventVendor: 'Microsoft',
  EventProduct: 'Sysmon',
  EventType: 'ProcessCreated',
  EventID: 1,
  Channel: 'Microsoft-Windows-Sysmon/Operational',
  Provider: 'Microsoft-Windows-Sysmon',
};

/** Numbers below `most`, the same in each run. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * most);
  };
}

const WORDS = [
  'powershell.exe',
  '-enc',
  'C:\\Temp\\',
  "it's",
  '10.0.0.5',
  'a*b?',
  '\\\\share\\',
  'ÄÖ',
  '-w hidden',
  '%x%',
];

function madeEvent(below: (most: number) => number): DraftEvent {
  const text = () => Array.from({ length: 1 + below(6) }, () => WORDS[below(WORDS.length)]).join(' ');
  return {
    ...sysmon,
    ProcessName: `C:\\Windows\\${['cmd.exe', 'PowerShell.exe', 'powershell.EXE'][below(3)]}`,
    CommandLine: text(),
    ParentProcessName: below(3) === 0 ? '' : `C:\\${below(4)}\\parent.exe`,
    DvcHostname: `pc-${below(50)}`,
    ActorUsername: `user-${below(3)}`,
    LogonType: below(4) === 0 ? null : 2 + below(3),
    Ext: { Color: ['red', 'blue'][below(2)], Deep: { Level: below(3) }, List: [1, 2], RuleId: below(9) },
  };
}

/** What the engine would count: other events by what they fulfil. */
const countsOf = (others: readonly DraftEvent[], candidates: readonly Parameters<typeof fulfils>[1][]) =>
  others.map((event) => ({
    mask: candidates.reduce((sum, one, bit) => sum + (fulfils(event, one) ? 2 ** bit : 0), 0),
    events: 1,
  }));

describe('conditions of a draft', () => {
  it('[T-draft] always hold for every selected event, whatever is chosen, and can be asked', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const below = numbers(seed);
      const events = Array.from({ length: 1 + below(5) }, () => madeEvent(below));
      const others = Array.from({ length: 40 }, () => madeEvent(below));
      const candidates = draftCandidates(events, 30);
      expect(candidates.length).toBeLessThanOrEqual(30);
      for (const one of candidates) {
        expect(canAsk(one), `${seed} ${draftConditionKql(one)}`).toBe(true);
        expect(
          events.every((event) => fulfils(event, one)),
          `${seed} ${draftConditionKql(one)}`,
        ).toBe(true);
      }
      const counts = countsOf(others, candidates);
      const chosen = chooseConditions(candidates, counts);
      expect(chosen.length).toBeLessThanOrEqual(5);
      expect(chosen.length > 0).toBe(candidates.length > 0);
      // A further condition is only taken for what it leaves out.
      for (const one of chosen)
        if (chosen.length > 1 && candidates[one]?.path[0] !== 'CommandLine')
          expect(othersLeft(counts, chosen)).toBeLessThan(
            othersLeft(
              counts,
              chosen.filter((other) => other !== one),
            ),
          );
    }
  });

  it('[T-draft] are of what was done rather than of where, and name no ids, times or counters', () => {
    const below = numbers(7);
    const events = [1, 2].map((at) => ({
      ...sysmon,
      TimeGenerated: '2026-03-04T10:00:00.0000000Z',
      ProcessId: 4711,
      ProcessGuid: '{0}',
      EventRecordId: 99,
      FileHashMd5: 'd41d8cd98f00b204e9800998ecf8427e',
      DvcHostname: 'srv-1',
      ProcessName: 'C:\\Windows\\rundll32.exe',
      CommandLine: `rundll32 comsvcs.dll MiniDump ${at}`,
      Ext: { LogonGuid: '{1}', SequenceNumber: 5, Company: 'Contoso' },
    }));
    const others = Array.from({ length: 50 }, () => madeEvent(below));
    const candidates = draftCandidates(events, 30);
    const named = candidates.map(({ path }) => path.join('.'));
    for (const name of ['TimeGenerated', 'ProcessId', 'ProcessGuid', 'EventRecordId', 'Ext.LogonGuid'])
      expect(named).not.toContain(name);
    expect(named).toEqual(expect.arrayContaining(['FileHashMd5', 'Ext.Company', 'DvcHostname']));
    const counts = countsOf(others, candidates);
    const chosen = chooseConditions(candidates, counts).map((at) => candidates[at]?.path[0]);
    expect(chosen).not.toContain('DvcHostname');
    expect(othersLeft(counts, chooseConditions(candidates, counts))).toBe(0);
    // Different hashes are not shared.
    const differ = events.map((event, at) => ({
      ...event,
      FileHashMd5: `d41d8cd98f00b204e9800998ecf8427${at}`,
    }));
    expect(draftCandidates(differ, 30).map(({ path }) => path[0])).not.toContain('FileHashMd5');
    // A hash of one event alone is no sign of anything.
    expect(draftCandidates(events.slice(0, 1), 30).map(({ path }) => path[0])).not.toContain('FileHashMd5');
  });

  it('[T-draft] name a program with what it was told to do', () => {
    const event = {
      ...sysmon,
      ProcessName: 'C:\\a\\rundll32.exe',
      CommandLine: 'rundll32.exe comsvcs.dll, MiniDump',
    };
    const candidates = draftCandidates([event], 30);
    const told = chooseConditions(candidates, []).map((at) => candidates[at]);
    expect(told.map((one) => [one?.path[0], one?.values])).toEqual([
      ['ProcessName', ['\\rundll32.exe']],
      ['CommandLine', [expect.stringMatching(/comsvcs|MiniDump/)]],
    ]);
    expect(
      candidates.some(({ path, values }) => path[0] === 'CommandLine' && values[0] === 'rundll32.exe'),
    ).toBe(false);
  });

  it('[T-draft] are written as KQL that names the kind of the events', () => {
    const kind = draftKind([sysmon, { ...sysmon }]);
    const condition = { path: ['CommandLine'], operator: 'contains', values: ['a "b" \\'] } as const;
    expect(draftKql(kind, [condition])).toBe(
      'ProcessEvent\n| where EventType =~ "ProcessCreated"\n| where CommandLine contains "a \\"b\\" \\\\"',
    );
    const several = draftKind([sysmon, { Stream: 'Dns', EventType: '' }]);
    const below = { path: ['Ext', 'a b', 'c'], operator: 'equals', values: ['1', '2'] } as const;
    expect(draftKql(several, [below])).toBe(
      'Events\n| where Stream in ("Dns", "ProcessEvent")\n| where tostring(Ext["a b"].c) in~ ("1", "2")',
    );
  });
});

const first = (event: DraftEvent) => logSourcesOf([event])[0];

describe('log sources of events', () => {
  it.each([
    [sysmon, 'windows-process-creation'],
    [{ ...sysmon, Channel: 'Security', EventID: 4688 }, 'windows-process-creation'],
    [
      { ...sysmon, Stream: 'Authentication', EventType: 'Logon', Channel: 'Security', EventID: 4625 },
      'windows-service-security',
    ],
    [{ ...sysmon, EventVendor: 'Linux', Provider: 'Linux-Sysmon' }, 'linux-process-creation'],
    [{ Stream: 'CloudAudit', EventVendor: 'AWS', EventProduct: 'CloudTrail' }, 'aws-cloudtrail'],
    [{ Stream: 'AuditEvent', EventVendor: 'Okta', EventProduct: 'Okta' }, 'okta'],
    [{ Stream: 'WebSession', EventVendor: 'Apache', EventProduct: 'Apache HTTP Server' }, 'webserver'],
    [{ Stream: 'WebSession', EventVendor: 'Squid', EventProduct: 'Squid' }, 'proxy'],
    [{ Stream: 'Authentication', EventVendor: 'Linux', EventProduct: 'sshd' }, 'linux'],
  ])('[T-draft] %j', (event, id) => {
    expect(first(event)?.id).toBe(id);
  });

  it('[T-draft] fields are named as rules of the log source name them', () => {
    const names = (event: DraftEvent, ...columns: string[]) => {
      const source = first(event);
      return columns.map((name) => source && sigmaFieldOf(name.split('.'), source, [event]));
    };
    expect(
      names(sysmon, 'ProcessName', 'ParentProcessName', 'RegistryKey', 'EventProduct', 'Ext.Company'),
    ).toEqual(['Image', 'ParentImage', 'TargetObject', null, 'Company']);
    const group = { ...sysmon, Stream: 'UserManagement', EventType: '', Channel: 'Security', EventID: 4732 };
    expect(names(group, 'GroupName', 'TargetUsername')).toEqual(['TargetUserName', 'MemberName']);
    const trail = { Stream: 'CloudAudit', EventProduct: 'CloudTrail' };
    expect(
      names(trail, 'Operation', 'CloudService', 'HttpUserAgent', 'Ext.requestParameters.bucketName'),
    ).toEqual(['eventName', 'eventSource', 'userAgent', 'requestParameters.bucketName']);
  });
});

describe('the text of a drafted rule', () => {
  it('[T-draft] compiles to what it says, and the linter has no error to tell', () => {
    const [source] = logSourcesOf([sysmon]);
    if (!source) throw new Error('no log source');
    const head = {
      id: '4a1c9a1e-6c3b-4f5f-9a7e-0f6f5b1f2a3c',
      title: 'Draft From 2 ProcessEvent Events',
      description: 'Drafted from what the selected events share.',
      author: "O'Neill: #1",
      date: '2026-03-04',
    };
    const odd = `a*b? \\\\share\\* 'x' "y"\t: #`;
    const text = draftRuleText(head, source, [
      { field: 'CommandLine', path: ['CommandLine'], operator: 'contains', values: [odd] },
      { field: 'CommandLine', path: ['CommandLine'], operator: 'contains', values: ['-enc'] },
      { field: 'Image', path: ['ProcessName'], operator: 'endswith', values: ['\\a.exe', '\\b.exe'] },
      { field: 'Image', path: ['ProcessName'], operator: 'endswith', values: ['.exe'] },
      { field: 'EventID', path: ['EventID'], operator: 'equals', values: ['1', '5'] },
    ]);
    const read = readOneSigma(text);
    const verdict = judgeSigma(read, sigmaLibrary([read]), {});
    if (verdict.verdict !== 'runs' || !verdict.compiled) throw new Error(JSON.stringify(verdict));
    expect(lintSigma(text, {}).filter(({ severity }) => severity === 'error')).toEqual([]);
    const kql = kqlOf(verdict.compiled) ?? '';
    expect(kql).toContain(
      `CommandLine contains ${draftConditionKql({ path: ['CommandLine'], operator: 'contains', values: [odd] }).slice(21)}`,
    );
    expect(kql).toContain('CommandLine contains "-enc"');
    expect(kql).toContain('ProcessName endswith "\\\\b.exe"');
    expect(kql).toContain('ProcessName endswith ".exe"');
    expect(kql).toMatch(/EventID in \(1, 5\)|EventID == 5/);
  });
});
