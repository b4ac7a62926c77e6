import type { RuleSample, SampleResult, SampleState } from '@tyrian/contract';
import type { StateTone } from '../../ui/state-mark.tsx';

export const SAMPLE_TONES: Readonly<Record<SampleState, StateTone>> = {
  none: 'quiet',
  untested: 'quiet',
  passed: 'good',
  failed: 'bad',
};

/** Keys of texts have no blanks. */
export const expectKey = (expect: RuleSample['expect']): 'expect.match' | 'expect.none' =>
  expect === 'match' ? 'expect.match' : 'expect.none';

/** The key of what came of a sample. */
export function outcomeKey({ passed, matched }: Pick<SampleResult, 'passed' | 'matched'>) {
  if (passed) return matched ? 'outcome.matched' : 'outcome.silent';
  return matched ? 'outcome.wronglyMatched' : 'outcome.notMatched';
}

/** Events of what was pasted: one JSON object, a list of them, or a line of text or JSON each. */
export function eventsOfText(pasted: string): string[] {
  const text = pasted.trim();
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value))
      return value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).filter(Boolean);
    return [text];
  } catch {
    return text.split('\n').filter((line) => line.trim() !== '');
  }
}

/** Events as they are edited: alone as it is, several a line each. */
export function textOfEvents(events: readonly string[]): string {
  return events.length === 1 ? (events[0] ?? '') : events.map(onOneLine).join('\n');
}

function onOneLine(event: string): string {
  if (!event.includes('\n')) return event;
  try {
    return JSON.stringify(JSON.parse(event));
  } catch {
    return event.replaceAll('\n', ' ');
  }
}
