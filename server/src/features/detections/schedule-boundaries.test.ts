import { say } from '@tyrian/contract';
import { describe, expect, it } from 'vitest';
import { cronProblem, readCron } from './schedule-boundaries.ts';

const problemOf = (cron: string, timezone = 'UTC') => {
  try {
    readCron(cron, timezone);
  } catch (error) {
    return cronProblem(error);
  }
  return null;
};

describe('[R-C39] a cron expression', () => {
  it.each([
    ['61 * * * *', '61', say('words.cronMinute')],
    ['*/0 1 * * *', '*/0', say('words.cronMinute')],
    ['0 5-1 * * *', '5-1', say('words.cronHour')],
    ['0 0 x,y * *', 'x,y', say('words.cronDay')],
    ['0 0 * 13 *', '13', say('words.cronMonth')],
    ['* * * * 9', '9', say('words.cronWeekday')],
  ])('that is wrong is told by the first field that is not accepted: %s', (cron, value, field) =>
    expect(problemOf(cron)).toEqual(say('rules.cronField', { value, field })),
  );

  it('that is wrong in other ways is told as a whole', () => {
    expect(problemOf('* * * *')).toEqual(say('rules.cronFields'));
    expect(problemOf('0 0 * * *', 'Mars/Olympus')).toMatchObject({ code: 'rules.cronWrong' });
    expect(problemOf('0 0 * * 1-5')).toBeNull();
  });
});
