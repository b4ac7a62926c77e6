import { describe, expect, it } from 'vitest';
import { CASE_STATUSES, type CaseStatus, SEVERITIES } from './case.ts';
import { isReadOnly, matchesCaseName, pickerCases, refuseStatusChange } from './case-rules.ts';

const ALLOWED: [CaseStatus, CaseStatus][] = [
  ['OPEN', 'IN-PROGRESS'],
  ['OPEN', 'ON-HOLD'],
  ['OPEN', 'CLOSED'],
  ['IN-PROGRESS', 'ON-HOLD'],
  ['IN-PROGRESS', 'CLOSED'],
  ['ON-HOLD', 'IN-PROGRESS'],
  ['ON-HOLD', 'CLOSED'],
  ['CLOSED', 'OPEN'],
];

describe('case rules', () => {
  it('[S4-01] there are four statuses', () => {
    expect(CASE_STATUSES).toEqual(['OPEN', 'ON-HOLD', 'IN-PROGRESS', 'CLOSED']);
  });

  it('[S3-11] there are five severities', () => {
    expect(SEVERITIES).toEqual(['Critical', 'High', 'Medium', 'Low', 'None']);
  });

  for (const from of CASE_STATUSES)
    for (const to of CASE_STATUSES) {
      const allowed = ALLOWED.some(([a, b]) => a === from && b === to);
      it(`[S4-03] ${from} to ${to} is ${allowed ? 'allowed' : 'refused'}`, () => {
        const answer = refuseStatusChange({ from, to, hasHandler: true, resolution: 'benign' });
        expect(answer).toBe(allowed ? null : from === to ? 'same-status' : 'transition');
      });
    }

  it('[S4-03] asks for a handler before IN-PROGRESS and a resolution for CLOSED', () => {
    const change = { from: 'OPEN', hasHandler: false, resolution: null } as const;
    expect(refuseStatusChange({ ...change, to: 'IN-PROGRESS' })).toBe('handler-missing');
    expect(refuseStatusChange({ ...change, to: 'CLOSED' })).toBe('resolution-missing');
    expect(refuseStatusChange({ ...change, to: 'ON-HOLD' })).toBeNull();
    expect(CASE_STATUSES.filter(isReadOnly)).toEqual(['CLOSED']);
  });

  it('[S4-02] the picker lists open work, and the case at hand even when it is closed', () => {
    const cases = CASE_STATUSES.map((status) => ({ case_id: status, case_name: `Case ${status}`, status }));
    const ids = (list: { case_id: string }[]) => list.map((one) => one.case_id);
    expect(ids(pickerCases(cases))).toEqual(['OPEN', 'ON-HOLD', 'IN-PROGRESS']);
    expect(ids(pickerCases(cases, cases[3]))).toEqual(['OPEN', 'ON-HOLD', 'IN-PROGRESS', 'CLOSED']);
    expect(ids(pickerCases(cases, cases[0]))).toEqual(['OPEN', 'ON-HOLD', 'IN-PROGRESS']);
  });

  it('[S5-06] search is a case-insensitive part of the name', () => {
    expect(matchesCaseName('Lateral Movement', 'MOVE')).toBe(true);
    expect(matchesCaseName('Lateral Movement', 'movement lateral')).toBe(false);
    expect(matchesCaseName('100% sure_', '%')).toBe(true);
    expect(matchesCaseName('Lateral', '%')).toBe(false);
  });
});
