import { describe, expect, it } from 'vitest';
import { kqlLiteral, kqlName, kqlPath, kqlString } from './kql-literal.ts';
import { readPipeline } from './kql-pipeline.ts';
import {
  addCondition,
  appendStage,
  filtersEventTime,
  type ValueCondition,
  withoutStage,
} from './kql-text-edit.ts';

const user = (value: unknown, keep = true): ValueCondition => ({
  reference: 'User',
  type: 'string',
  value,
  keep,
});

describe('reading a pipeline', () => {
  it('does not take pipes in strings, comments and brackets for stages', () => {
    const text = `let a = 5; // one | two; three
T | where x == "a|b" and y == @"c:\\" | join (U | take 5) on k // | where z
| take 10;`;
    expect(readPipeline(text).stages.map((stage) => stage.operator)).toEqual(['', 'where', 'join', 'take']);
    expect(readPipeline(text).stages[0]?.text).toBe('T');
  });

  it('finds nothing in a blank text or after let statements alone', () => {
    expect(readPipeline('  // nothing\n').stages).toEqual([]);
    expect(readPipeline('').stages).toEqual([]);
  });

  it('survives a string and a bracket that are never closed', () => {
    expect(readPipeline('T | where a == "x | take 5').stages).toHaveLength(2);
    expect(readPipeline('T | where (a | take 5').stages).toHaveLength(2);
    expect(readPipeline('T | where a == ```x | take 5').stages).toHaveLength(2);
  });
});

describe('values as KQL', () => {
  it('escapes what would end a string or start another one', () => {
    expect(kqlString('a"b')).toBe('"a\\"b"');
    expect(kqlString('line\nbreak')).toBe('"line\\nbreak"');
    expect(kqlString('C:\\Windows\\"x"')).toBe('@"C:\\Windows\\""x"""');
    expect(kqlString('back\\slash\n')).toBe('"back\\\\slash\\n"');
    expect(kqlString('\u0000')).toBe('"\\u0000"');
  });

  it('writes each type the way KQL wants it', () => {
    expect(kqlLiteral(5, 'long')).toBe('5');
    expect(kqlLiteral('9007199254740993', 'long')).toBe('9007199254740993');
    expect(kqlLiteral(false, 'bool')).toBe('false');
    expect(kqlLiteral('2026-01-01T00:00:00.0000000Z', 'datetime')).toBe(
      'datetime(2026-01-01T00:00:00.0000000Z)',
    );
    expect(kqlLiteral('-Infinity', 'real')).toBe('real(-inf)');
    expect(kqlLiteral({ a: 1 }, 'dynamic')).toBe('"{\\"a\\":1}"');
    expect(kqlLiteral(null, 'string')).toBeNull();
  });

  it('quotes names that are not plain words', () => {
    expect(kqlName('count_')).toBe('count_');
    expect(kqlName('by')).toBe("['by']");
    expect(kqlName("my 'field'")).toBe("['my \\'field\\'']");
    expect(kqlPath(['Ext', 'user', 'first name'])).toBe('Ext.user["first name"]');
  });
});

describe('filter in and filter out', () => {
  it('puts a condition on a result before the stages that only cut, order or draw', () => {
    expect(
      addCondition('T\n| summarize count() by User\n| sort by count_\n| take 5', user('root'), 'result'),
    ).toBe('T\n| summarize count() by User\n| where User == "root"\n| sort by count_\n| take 5');
    expect(addCondition('T | take 5', user('root'), 'result')).toBe('T\n| where User == "root"\n| take 5');
    expect(addCondition('T', user('root'), 'result')).toBe('T\n| where User == "root"');
  });

  it('puts a condition on a field of the events behind the source and its filters', () => {
    expect(addCondition('T\n| where A == 1\n| summarize count()', user('root'), 'source')).toBe(
      'T\n| where A == 1\n| where User == "root"\n| summarize count()',
    );
  });

  it('keeps let statements, comments and a closing semicolon', () => {
    expect(addCondition('let x = 1;\nT // events\n;', user('root'), 'result')).toBe(
      'let x = 1;\nT // events\n| where User == "root"\n;',
    );
  });

  it('adds a condition once, and turns its opposite round', () => {
    const once = addCondition('T', user('root'), 'result');
    expect(addCondition(once, user('root'), 'result')).toBe(once);
    expect(addCondition(once, user('root', false), 'result')).toBe('T\n| where User != "root"');
  });

  it('asks for empty and null by function', () => {
    expect(addCondition('T', user(''), 'result')).toContain('isempty(User)');
    expect(addCondition('T', user(null, false), 'result')).toContain('isnotempty(User)');
    expect(addCondition('T', { ...user(null), type: 'long' }, 'result')).toContain('isnull(User)');
  });

  it('compares a dynamic value by its text', () => {
    const condition = { reference: 'Ext.a', type: 'dynamic', value: 'x"y', keep: true };
    expect(addCondition('T', condition, 'result')).toContain('where tostring(Ext.a) == "x\\"y"');
  });

  it('starts a query where there is none', () => {
    expect(addCondition('', user('root'), 'source')).toBe('Events\n| where User == "root"');
  });
});

describe('what a query asks for', () => {
  it('knows when it filters the event time itself', () => {
    expect(filtersEventTime('T | where TimeGenerated > ago(1h)')).toBe(true);
    expect(filtersEventTime('T | summarize max(TimeGenerated)')).toBe(false);
  });

  it('takes a stage out together with its pipe', () => {
    const text = 'T\n| where A == 1\n| take 5';
    expect(withoutStage(text, { start: 4, end: 16 })).toBe('T\n| take 5');
    expect(withoutStage('T | where A == 1', { start: 4, end: 16 })).toBe('T');
  });

  it('appends a stage before the closing semicolon', () => {
    expect(appendStage('T;', 'take 5')).toBe('T\n| take 5;');
  });
});
