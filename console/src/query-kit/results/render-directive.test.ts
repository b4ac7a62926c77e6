import { describe, expect, it } from 'vitest';
import { namesIn, renderDirective } from './render-directive.ts';

const propertiesOf = (text: string) => Object.fromEntries(renderDirective(text)?.properties ?? []);

describe('how a query asks to be drawn', () => {
  it('is the kind behind render, and only at the end of the pipe', () => {
    expect(renderDirective('T | summarize count() by bin(TimeGenerated, 1h) | render timechart')?.kind).toBe(
      'timechart',
    );
    expect(renderDirective('T | render PieChart;')?.kind).toBe('piechart');
    expect(renderDirective('T | where a == "| render pie"')).toBeNull();
    expect(renderDirective('T')).toBeNull();
  });

  it('has what stands in with, lists and quoted texts too', () => {
    const text =
      'T | render columnchart with (title="Sign-ins, by = host", kind=stacked100, ycolumns=A, B, ymin = -1.5)';
    expect(propertiesOf(text)).toEqual({
      title: 'Sign-ins, by = host',
      kind: 'stacked100',
      ycolumns: 'A, B',
      ymin: '-1.5',
    });
    expect(propertiesOf('T | render timechart kind=unstacked title="x"')).toEqual({
      kind: 'unstacked',
      title: 'x',
    });
    expect(propertiesOf('T | render timechart')).toEqual({});
    expect(namesIn("A, ['odd name'] ,")).toEqual(['A', 'odd name']);
  });
});
