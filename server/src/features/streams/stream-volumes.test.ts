import { expect, it } from 'vitest';
import { furthestAgo } from './look-back.ts';
import { billDays } from './overage.ts';

const DAY = 86_400_000;

it('[S2-50] a day above twice the subscription is an excess day; five are free, from the sixth on the overage is billed', () => {
  const volumes = [90, 150, 200, 201, 250, 250, 250, 250, 250, 400];
  const days = volumes.map((rawBytes, at) => ({ day: at * DAY, rawBytes, events: 1 }));
  const billed = billDays(days, 100);
  expect(billed.map(({ overage_bytes }) => overage_bytes)).toEqual([
    0, 50, 100, 101, 150, 150, 150, 150, 150, 300,
  ]);
  expect(billed.map(({ excess_day }) => excess_day)).toEqual([null, null, null, 1, 2, 3, 4, 5, 6, 7]);
  expect(billed.map(({ billed_bytes }) => billed_bytes)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 150, 300]);
  expect(billDays(days, null).every((day) => day.overage_bytes === 0 && day.excess_day === null)).toBe(true);
});

it('[S2-36] tells from the text of a detection how far it looks back', () => {
  expect(furthestAgo(['Dns | where TimeGenerated > ago(14d)', 'Events | where x > ago( 36h )'])).toBe(
    14 * 86_400,
  );
  expect(furthestAgo(['let t = ago(1.5h); Dns', 'Dns | where Name == "ago"'])).toBe(5_400);
  expect(furthestAgo(['Dns | take 1'])).toBe(0);
});
