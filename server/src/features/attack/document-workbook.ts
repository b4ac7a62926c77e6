import { attackAddress, type SignalBody, type WorkbookDraft } from '@tyrian/contract';
import type { AttackKnowledge } from './attack-content.ts';

// A description of a workbook out of what it holds: the same workbook makes the same text. In English, like shipped
// knowledge bases; its author changes what it does not say well.

/** Text of others in a line of Markdown. */
const plain = (text: string): string => text.replace(/[\\`*_[\]<>|#]/g, '\\$&').replaceAll('\n', ' ');

/** A fence that no line of the text closes. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trim()}\n${fence}`;
}

function scheduleLine({ mode, cron, timezone, lookback_minutes: back }: WorkbookDraft['schedule']): string {
  const looks = back > 0 ? `, and looks back ${back} minutes before its window` : '';
  if (mode === 'off') return 'It runs only by hand.';
  if (mode === 'streamed') return `It runs every minute over what came in${looks}.`;
  return `It runs at \`${cron ?? ''}\` (${plain(timezone)})${looks}.`;
}

export interface Documented {
  readonly draft: Pick<WorkbookDraft, 'name' | 'description' | 'stage' | 'schedule' | 'tags' | 'blocks'>;
  /** Streams that its queries read; empty: it is not known. */
  readonly streams: readonly string[];
}

export function documentWorkbook({ draft, streams }: Documented, knowledge: AttackKnowledge): string {
  const signals = draft.blocks.flatMap((block) => (block.type === 'signal' ? [block.body] : []));
  const queries = draft.blocks.flatMap((block) => (block.type === 'kql' ? [block.body.query] : []));
  const parts = [
    `# ${plain(draft.name)}`,
    draft.description.trim() === '' ? '' : plain(draft.description.trim()),
    '## How it runs',
    [
      scheduleLine(draft.schedule),
      streams.length === 0 ? '' : `It reads ${streams.map((stream) => `\`${stream}\``).join(', ')}.`,
      `Its stage is ${draft.stage}.`,
      draft.tags.length === 0 ? '' : `Tags: ${draft.tags.map(plain).join(', ')}.`,
    ]
      .filter(Boolean)
      .join(' '),
    ...signals.flatMap((signal) => signalPart(signal, knowledge)),
    queries.length === 0 ? '' : '## What it searches for',
    ...queries.map((query) => queryPart(query)),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function signalPart(signal: SignalBody, knowledge: AttackKnowledge): string[] {
  const entities = (all: readonly { readonly type: string; readonly field: string }[]) =>
    all.map(({ type, field }) => `${type} (\`${field}\`)`).join(', ');
  const technique = signal.sub_technique || signal.technique;
  const name = knowledge.techniqueOf.get(technique)?.name;
  const rows = [
    ['Score', `${signal.score} of 10, confidence ${signal.confidence}`],
    ['Tactic', plain(signal.tactic)],
    ['Technique', technique === '' ? '' : `[${technique} ${plain(name ?? '')}](${attackAddress(technique)})`],
    ['Suspects', entities(signal.suspects)],
    ['Targets', entities(signal.targets)],
    ['Tags', signal.tags.map(plain).join(', ')],
  ].filter(([, value]) => value !== '');
  return [
    `## Signal: ${plain(signal.name)}`,
    rows.map(([label, value]) => `- **${label}:** ${value}`).join('\n'),
    // Headings of the knowledge base stand below that of the signal.
    signal.kb.trim().replace(/^(#{1,4}) /gm, '#$1 '),
  ];
}

/** Comments of the author first, as sentences; then the query. */
function queryPart(query: string): string {
  const said = query
    .split('\n')
    .flatMap((line) => /^\s*\/\/\s*(.+)$/.exec(line)?.[1] ?? [])
    .map(plain);
  return [said.join(' '), fenced(query, 'kql')].filter(Boolean).join('\n\n');
}
