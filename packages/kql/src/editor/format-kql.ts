import type { KqlSchema } from '../event-schema.ts';
import { kusto } from '../kusto.ts';
import { child, isKind, within } from '../syntax.ts';

/** The text laid out, one operator on each line, lines ended by \n alone; null when it cannot be. Pure. */
export function formatKql(text: string, schema: KqlSchema): string | null {
  const broken = onePipePerLine(text, schema);
  const code = kusto.KustoCode.ParseAndAnalyze(broken, schema.globals);
  const formatted = new kusto.Editor.KustoCodeService.ctor(code).GetFormattedText().Text;
  return formatted === '' ? null : formatted.replace(/\r\n?/g, '\n');
}

/** A line break before each pipe that has something before it on its line. */
function onePipePerLine(text: string, schema: KqlSchema): string {
  const positions: number[] = [];
  for (const node of within(kusto.KustoCode.ParseAndAnalyze(text, schema.globals).Syntax)) {
    if (isKind(node, 'PipeExpression')) positions.push(child(node, 'Bar').TextStart);
  }
  let result = '';
  let at = 0;
  for (const position of positions.sort((one, other) => one - other)) {
    const before = text.slice(at, position);
    const lineStart = text.lastIndexOf('\n', position - 1) + 1;
    const isFirst = text.slice(lineStart, position).trim() === '';
    result += isFirst ? before : `${before.replace(/[ \t]+$/, '')}\n`;
    at = position;
  }
  return result + text.slice(at);
}
