import { type RuleLevel, type SignalBody, signalBodySchema, tacticTitle } from '@tyrian/contract';
import type { RuleAbout } from './rule-about.ts';

// What a row of an imported rule raises: the title of the rule, its level as score, its techniques, and who and what the
// event names in the columns that all sources share.

const SCORES: Readonly<Record<RuleLevel, number>> = {
  informational: 1,
  low: 3,
  medium: 5,
  high: 7,
  critical: 9,
};
const CONFIDENCE: Readonly<Record<string, SignalBody['confidence']>> = {
  stable: 'High',
  test: 'Medium',
};

const SUSPECTS: SignalBody['suspects'] = [
  { type: 'user', field: 'ActorUsername' },
  { type: 'process', field: 'ProcessName' },
  { type: 'ip', field: 'SrcIpAddr' },
];
const TARGETS: SignalBody['targets'] = [
  { type: 'host', field: 'DvcHostname' },
  { type: 'user', field: 'TargetUsername' },
  { type: 'ip', field: 'DstIpAddr' },
];

export interface SignalSource {
  readonly title: string;
  readonly level: RuleLevel | '';
  readonly status: string;
  readonly tactics: readonly string[];
  readonly techniques: readonly string[];
  /** How many fields a correlation groups by; what it found is told apart by their values. */
  readonly groups?: number;
  readonly about: Pick<
    RuleAbout,
    'description' | 'authors' | 'licence' | 'references' | 'falsepositives' | 'tags'
  >;
}

/** The title, which is no template, and of a correlation the values of its group. */
function nameOf({ title, groups = 0 }: SignalSource): string {
  const values = Array.from({ length: groups }, (_, at) => `_$GroupBy${at + 1}_`);
  const plainTitle = title.replaceAll('_$', '_ $');
  return groups === 0 ? plainTitle : `${plainTitle}: ${values.join(', ')}`;
}

/** The signal block of a rule. */
export function signalOf(rule: SignalSource): SignalBody {
  const [technique = ''] = rule.techniques;
  const [parent = ''] = technique.split('.');
  return {
    ...signalBodySchema.parse({ name: 'x' }),
    name: nameOf(rule),
    tactic: tacticTitle(rule.tactics[0] ?? ''),
    technique: parent,
    sub_technique: technique === parent ? '' : technique,
    score: SCORES[rule.level === '' ? 'medium' : rule.level],
    confidence: CONFIDENCE[rule.status] ?? 'Low',
    suspects: SUSPECTS,
    targets: TARGETS,
    tags: rule.about.tags.slice(0, 30).map((tag) => tag.slice(0, 60)),
    kb: '',
  };
}

const MARKDOWN = /[\\`*_{}[\]()<>#+!|~-]/g;
const plain = (text: string): string => text.replace(MARKDOWN, '\\$&');

/** What the author of a rule says of it, as Markdown; with the author and the licence, as the licence asks. */
export function knowledgeOf({ about }: SignalSource): string {
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`## ${title}`, items.map((item) => `- ${plain(item)}`).join('\n')];
  const credit = [about.authors, about.licence].filter((text) => text !== '').map(plain);
  return [
    plain(about.description),
    ...list('Known false positives', about.falsepositives),
    ...list('References', about.references),
    ...list('Author and licence', credit),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
