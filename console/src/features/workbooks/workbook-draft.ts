import type {
  Block,
  KqlBlock,
  RuleSample,
  SignalBlock,
  WorkbookDraft,
  WorkbookProperties,
} from '@tyrian/contract';

// A workbook as it is edited. Every change makes a new draft, so that what was saved can be compared with what
// stands on the page.

/** Twelve characters of [a-z0-9], unique in the workbook. */
function newBlockId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => (byte % 36).toString(36)).join('');
}

export function kqlBlock(query = '', duration = '24h'): KqlBlock {
  return { block_id: newBlockId(), type: 'kql', collapsed: false, body: { query, duration } };
}

export function signalBlock(name = ''): SignalBlock {
  return {
    block_id: newBlockId(),
    type: 'signal',
    collapsed: false,
    body: {
      name,
      tactic: '',
      technique: '',
      sub_technique: '',
      confidence: 'Medium',
      score: 5,
      suspects: [],
      targets: [],
      tags: [],
      kb: '',
    },
  };
}

export function textBlock(): Block {
  return { block_id: newBlockId(), type: 'text', collapsed: false, body: { markdown: '' } };
}

interface NewDraftOptions {
  readonly directory?: string;
  /** The time range of the query, e.g. `7d`. */
  readonly duration?: string;
  /** The time zone of whoever writes it. */
  readonly zone?: string;
}

/** A workbook that nobody has saved yet. It is in development until its author says otherwise. */
export function newDraft(query: string, options: NewDraftOptions = {}): WorkbookDraft {
  return {
    name: '',
    directory: options.directory ?? '',
    description: '',
    stage: 'dev',
    schedule: { mode: 'off', cron: null, timezone: options.zone ?? 'UTC', lookback_minutes: 0 },
    tags: [],
    blocks: [kqlBlock(query, options.duration)],
  };
}

/** What an author writes of a workbook, without what follows from it. */
export function draftOf(properties: WorkbookProperties | WorkbookDraft): WorkbookDraft {
  const { name, directory, description, stage, schedule, tags, blocks, samples } = properties;
  const own = samples && samples.length > 0 ? { samples } : {};
  return { name, directory, description, stage, schedule, tags, blocks, ...own };
}

export function changeBlock(
  draft: WorkbookDraft,
  id: string,
  change: (block: Block) => Block,
): WorkbookDraft {
  return { ...draft, blocks: draft.blocks.map((block) => (block.block_id === id ? change(block) : block)) };
}

export function insertBlock(draft: WorkbookDraft, at: number, block: Block): WorkbookDraft {
  return { ...draft, blocks: [...draft.blocks.slice(0, at), block, ...draft.blocks.slice(at)] };
}

export function removeBlock(draft: WorkbookDraft, id: string): WorkbookDraft {
  return { ...draft, blocks: draft.blocks.filter((block) => block.block_id !== id) };
}

export function moveBlock(draft: WorkbookDraft, index: number, by: number): WorkbookDraft {
  const blocks = [...draft.blocks];
  const [block] = blocks.splice(index, 1);
  if (block) blocks.splice(Math.max(0, Math.min(blocks.length, index + by)), 0, block);
  return { ...draft, blocks };
}

export function sameDraft(a: WorkbookDraft, b: WorkbookDraft): boolean {
  return JSON.stringify(draftOf(a)) === JSON.stringify(draftOf(b));
}

/** A draft as text for comparing versions: what reads as lines stays lines. */
export function draftText(draft: WorkbookDraft): string {
  const { name, directory, description, stage, schedule, tags } = draft;
  const head = [
    `name: ${name}`,
    `folder: ${directory}`,
    `stage: ${stage}`,
    `schedule: ${schedule.mode}${schedule.cron ? ` (${schedule.cron}, ${schedule.timezone})` : ''}`,
    `look-back: ${schedule.lookback_minutes} min`,
    `tags: ${tags.join(', ')}`,
    ...(description === '' ? [] : ['description:', description]),
  ];
  const samples = (draft.samples ?? []).flatMap(sampleText);
  return [...head, ...draft.blocks.flatMap(blockText), ...samples].join('\n');
}

const sampleText = ({ name, expect, events }: RuleSample): string[] => [
  ...['', `--- sample (${expect})`, `name: ${name}`, ...events],
];

function blockText(block: Block): string[] {
  if (block.type === 'text') return ['', '--- text', block.body.markdown];
  if (block.type === 'kql') return ['', `--- kql (${block.body.duration})`, block.body.query];
  const { name, tactic, technique, sub_technique, confidence, score, suspects, targets, tags, kb } =
    block.body;
  const entities = (list: readonly { type: string; field: string }[]) =>
    list.map((each) => `${each.type} ${each.field}`).join(', ');
  return [
    '',
    '--- signal',
    `name: ${name}`,
    `tactic: ${tactic}`,
    `technique: ${technique}${sub_technique ? ` ${sub_technique}` : ''}`,
    `confidence: ${confidence}`,
    `score: ${score}`,
    `suspects: ${entities(suspects)}`,
    `targets: ${entities(targets)}`,
    `tags: ${tags.join(', ')}`,
    ...(kb === '' ? [] : ['knowledge base:', kb]),
  ];
}
