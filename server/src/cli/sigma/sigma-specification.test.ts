import { beforeAll, describe, expect, it } from 'vitest';
import { CLOUD_CASES } from './testing/cloud-case-table.ts';
import { DEVICE_CASES } from './testing/device-case-table.ts';
import { matchLines, type SigmaAnswer } from './testing/match-lines.ts';
import { PROCESS_CASES } from './testing/process-case-table.ts';
import { WINDOWS_CASES } from './testing/windows-case-table.ts';

// The specification of Sigma over events of many products, through ingest and the engine.

const CASES = [...PROCESS_CASES, ...WINDOWS_CASES, ...CLOUD_CASES, ...DEVICE_CASES];
let answers: readonly SigmaAnswer[] = [];

beforeAll(async () => {
  answers = await matchLines(CASES.map(({ name, rules, events }) => ({ id: name, rules, events })));
}, 300_000);

describe('the specification of Sigma', () => {
  it.each(CASES.map(({ name, expected }, at) => ({ name, expected, at })))(
    '[T-sigma] over $name: each rule fires on its events and on no other',
    ({ expected, at }) => {
      const { fired = [], refused = [], error } = answers[at] ?? {};
      expect(error).toBeUndefined();
      const said = expected.map(([detection], rule) => [
        detection,
        refused.some((one) => one.rule === rule)
          ? 'refused'
          : fired.filter((one) => one.rule === rule).map(({ event }) => event),
      ]);
      expect(said).toEqual(expected);
    },
  );
});
