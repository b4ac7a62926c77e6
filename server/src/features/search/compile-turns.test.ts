import { describe, expect, it } from 'vitest';
import { type CompileTurn, type CompileTurns, createCompileTurns } from './compile-turns.ts';

const LIMITS = { waitingPerUser: 60, waitsMs: [5_000, 20_000, 60_000] as const, killWindowMs: 60_000 };
const turn = (clusterId: string, userId: string, lane: CompileTurn['lane'] = 'people'): CompileTurn => ({
  clusterId,
  userId,
  lane,
});

function served(turns: CompileTurns<string>, count: number, mayRun = (_: string) => true): string[] {
  return Array.from({ length: count }, () => turns.next(mayRun, () => undefined)?.job ?? '-');
}

describe('turns of the compiler', () => {
  it('[S07] serve tenants in turn, and users within a tenant, however many texts one of them sent', () => {
    const turns = createCompileTurns<string>(LIMITS);
    for (let index = 0; index < 60; index += 1) turns.add(turn('a', 'flood'), `flood${index}`);
    turns.add(turn('a', 'colleague'), 'colleague');
    turns.add(turn('b', 'victim'), 'victim1');
    turns.add(turn('b', 'victim'), 'victim2');
    turns.add(turn('a', '', 'detections'), 'detection');
    expect(served(turns, 6)).toEqual(['flood0', 'detection', 'victim1', 'colleague', 'victim2', 'flood1']);
    expect(turns.waiting()).toBe(58);
    expect(['a', 'b'].map((one) => turns.waitsFor((other) => other === one))).toEqual([true, false]);
  });

  it('[S07] refuse more waiting texts of one user than the limit, and nobody else', () => {
    const turns = createCompileTurns<string>(LIMITS);
    for (let index = 0; index < 60; index += 1) turns.add(turn('a', 'flood'), 'x');
    expect(() => turns.add(turn('a', 'flood'), 'x')).toThrow(
      '60 of your queries are waiting for the compiler',
    );
    turns.add(turn('a', 'colleague'), 'x');
    for (let index = 0; index < 200; index += 1) turns.add(turn('a', '', 'detections'), 'x');
    expect(turns.waiting()).toBe(261);
  });

  it('[S07] make a user wait longer with every text that was ended, those in the queue included', () => {
    let nowMs = 1000;
    const turns = createCompileTurns<string>(LIMITS, () => nowMs);
    const refused: string[] = [];
    turns.add(turn('a', 'flood'), 'waits');
    turns.add(turn('a', 'colleague'), 'colleague');
    for (let index = 0; index < 3; index += 1) turns.ended(turn('a', 'flood'));
    expect(turns.isSuspect('a')).toBe(true);
    expect(turns.isSuspect('b')).toBe(false);
    expect(
      turns.next(
        () => true,
        (job, error) => refused.push(`${job}: ${error.message}`),
      )?.job,
    ).toBe('colleague');
    expect(refused).toEqual([
      'waits: 3 of your queries took too long to compile; simplify the query and try again in 60 s',
    ]);
    expect(() => turns.add(turn('a', 'flood'), 'more')).toThrow('took too long to compile');
    turns.add(turn('a', 'colleague'), 'still');
    turns.add(turn('b', 'flood'), 'same name, other tenant');
    nowMs += 60_000;
    turns.add(turn('a', 'flood'), 'again');
    expect(turns.isSuspect('a')).toBe(false);
    expect(served(turns, 4)).toEqual(['still', 'same name, other tenant', 'again', '-']);
  });

  it('[S07] let a user go on five seconds after one ended text, twenty after the second', () => {
    let nowMs = 1000;
    const turns = createCompileTurns<string>(LIMITS, () => nowMs);
    for (const waitMs of [5_000, 20_000]) {
      turns.ended(turn('a', 'u'));
      nowMs += waitMs - 1;
      expect(() => turns.add(turn('a', 'u'), 'early')).toThrow('try again in 1 s');
      nowMs += 1;
      turns.add(turn('a', 'u'), 'in time');
    }
    expect(turns.waiting()).toBe(2);
  });

  it('[S07] pass over a tenant that may not run, and come back to it', () => {
    const turns = createCompileTurns<string>(LIMITS);
    turns.add(turn('a', 'u'), 'a1');
    turns.add(turn('b', 'u'), 'b1');
    expect(served(turns, 2, (clusterId) => clusterId !== 'a')).toEqual(['b1', '-']);
    expect(served(turns, 2)).toEqual(['a1', '-']);
  });

  it('[S07] make each user of a tenant wait after one ended text, once many users had theirs ended', () => {
    const turns = createCompileTurns<string>(LIMITS, () => 0);
    for (let user = 0; user < 6; user += 1) turns.ended(turn('a', `accomplice${user}`));
    expect(() => turns.add(turn('a', 'accomplice0'), 'x')).toThrow(
      'One of your queries took too long to compile; simplify the query and try again in 60 s',
    );
    turns.add(turn('a', 'colleague'), 'x');
    turns.add(turn('b', 'accomplice0'), 'x');
    expect(turns.waiting()).toBe(2);
  });
});
