import { describe, expect, it } from 'vitest';
import { startNotices } from './start-notices.ts';
import { pauseBefore } from './supervise-engine.ts';

describe('what the start says about rights', () => {
  it.each([
    ['http://clickhouse.example:8123/', 1],
    ['http://default@clickhouse.example:8123/', 1],
    ['http://default:secret@clickhouse.example:8123/', 0],
    ['http://tyrian:secret@clickhouse.example:8123/', 0],
    [undefined, 0],
  ])('[S01] names an engine of your own that anybody can sign in to: %s', (clickhouseUrl, lines) => {
    expect(startNotices({ clickhouseUrl }, false)).toHaveLength(lines);
  });

  it('[S20] names a start as root, once', () => {
    expect(startNotices({ clickhouseUrl: undefined }, true)).toEqual([expect.stringContaining('as root')]);
    expect(startNotices({ clickhouseUrl: undefined }, false)).toEqual([]);
  });
});

describe('the pause before an engine is started again', () => {
  it('[S10] is none after an end in good health, and grows while it ends soon after its start', () => {
    expect(pauseBefore(0, 3_600_000)).toBe(0);
    let pause = 0;
    const pauses = Array.from({ length: 8 }, () => {
      pause = pauseBefore(pause, 500);
      return pause;
    });
    expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
    expect(pauseBefore(pause, 4_500)).toBe(0);
  });
});
