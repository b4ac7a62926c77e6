import { expect, it } from 'vitest';
import { createLog } from '../../../platform/log.ts';
import { createCountedEntries } from './counted-entries.ts';

interface Written {
  readonly name: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

function counting() {
  const time = { nowMs: 0, asked: 0 };
  const clock = {
    now: () => {
      time.asked += 1;
      return time.nowMs;
    },
  };
  const written: Written[] = [];
  let isAway = false;
  const write = async (entry: Written) => {
    if (isAway) throw new Error('away');
    written.push(entry);
  };
  const entries = createCountedEntries<Written>({ write, clock, log: createLog('silent') });
  const note = (name: string) => entries.note({ name }, name);
  return { time, written, entries, note, setAway: (away: boolean) => (isAway = away) };
}

it('[S12] counts equal entries within a minute and loses none of them', async () => {
  const { time, written, note } = counting();
  await note('a');
  time.nowMs = 500;
  await note('b');
  for (let n = 0; n < 3; n += 1) await note('a');
  await note('b');
  // The time of `a` is over; that of `b` is within the second in which nobody looks.
  time.nowMs = 60_000;
  await note('c');
  time.nowMs = 60_600;
  await note('b');
  expect(written).toEqual([
    { name: 'a' },
    { name: 'b' },
    { name: 'a', details: { times: 3 } },
    { name: 'c' },
    { name: 'b', details: { times: 1 } },
    { name: 'b' },
  ]);
});

it('[S12] keeps what could not be written until it can be', async () => {
  const { time, written, entries, note, setAway } = counting();
  await note('a');
  await note('a');
  time.nowMs = 60_000;
  setAway(true);
  await expect(note('a')).rejects.toThrow('away');
  setAway(false);
  await entries.flush(true);
  expect(written).toEqual([{ name: 'a' }, { name: 'a', details: { times: 1 } }]);
});

it('[S12] does not look through all kinds at each new one', async () => {
  const { time, entries } = counting();
  let looked = 0;
  const entryOf = (n: number) => ({
    name: `${n}`,
    get details() {
      looked += 1;
      return {};
    },
  });
  for (let n = 0; n < 5_000; n += 1) {
    time.nowMs = n;
    await entries.note(entryOf(n), `${n}`, 100);
  }
  expect(looked).toBe(0);
  expect(time.asked).toBeLessThan(50_000);
});
