import { describe, expect, it } from 'vitest';
import { inRounds } from './job.ts';

describe('work in rounds', () => {
  const found = (...counts: number[]) => {
    let rounds = 0;
    const round = async () => counts[rounds++] ?? 0;
    return { round, rounds: () => rounds };
  };

  it('[T-jobs] ends with the round that finds fewer, and answers the sum', async () => {
    const work = found(10, 10, 3, 10);
    expect(await inRounds(10, 100, work.round)).toBe(23);
    expect(work.rounds()).toBe(3);
  });

  it('[T-jobs] leaves what is beyond its rounds to the next run', async () => {
    const work = found(10, 10, 10);
    expect(await inRounds(10, 2, work.round)).toBe(20);
    expect(work.rounds()).toBe(2);
  });

  it('[T-jobs] stops between two rounds when it is canceled', async () => {
    const work = found(10, 10, 10);
    const canceled = new AbortController();
    const round = async () => {
      const some = await work.round();
      canceled.abort('canceled');
      return some;
    };
    await expect(inRounds(10, 100, round, canceled.signal)).rejects.toBe('canceled');
    expect(work.rounds()).toBe(1);
  });
});
