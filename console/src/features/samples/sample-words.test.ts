import { describe, expect, it } from 'vitest';
import { eventsOfText, outcomeKey, textOfEvents } from './sample-words.ts';

describe('events of samples', () => {
  it('[T-samples] are read from an object, from a list, and from lines of text and JSON', () => {
    const pretty = '{\n  "a": 1\n}';
    expect(eventsOfText(` ${pretty} `)).toEqual([pretty]);
    expect(eventsOfText('[{"a": 1}, "line"]')).toEqual(['{"a":1}', 'line']);
    expect(eventsOfText('{"a":1}\n\nsshd[1]: hello\n')).toEqual(['{"a":1}', 'sshd[1]: hello']);
    expect(eventsOfText('  ')).toEqual([]);
  });

  it('[T-samples] are edited as they were pasted', () => {
    const events = ['{\n "a": 1}', 'line'];
    expect(eventsOfText(textOfEvents(events))).toEqual(['{"a":1}', 'line']);
    expect(textOfEvents([events[0] ?? ''])).toBe(events[0]);
  });

  it('[T-samples] say what came of them', () => {
    expect(outcomeKey({ passed: false, matched: true })).toBe('outcome.wronglyMatched');
    expect(outcomeKey({ passed: false, matched: false })).toBe('outcome.notMatched');
  });
});
