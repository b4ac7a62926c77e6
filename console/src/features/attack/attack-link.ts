import {
  ATTACK_DAYS,
  ATTACK_RULE_KINDS,
  ATTACK_STATES,
  type AttackFilterKey,
  type attackComparison,
  type InputOf,
  STAGES,
} from '@tyrian/contract';
import { useAddressLink } from '../../lib/use-address.ts';

// What the page of ATT&CK shows, as its address says it.

export const VIEWS = ['coverage', 'signals', 'gaps'] as const;
export type AttackView = (typeof VIEWS)[number];

export type Against = InputOf<typeof attackComparison>['against'];

export interface AttackLink {
  readonly view: AttackView;
  readonly days: number;
  /** Search text. */
  readonly q: string;
  readonly platform: string;
  readonly tactic: string;
  readonly state: string;
  readonly stream: string;
  readonly stage: string;
  readonly kind: string;
  /** The technique in the panel; empty: closed. */
  readonly technique: string;
  /** `layer:ID`, `actor:ID` or `day:YYYY-MM-DD`; empty: compared with nothing. */
  readonly against: string;
  /** Sub-techniques are shown. */
  readonly subs: boolean;
}

export type ChangeAttackLink = (part: Partial<AttackLink>) => void;

const TEXTS = ['q', 'platform', 'tactic', 'stream', 'technique', 'against'] as const;

const oneOf = <T extends string>(value: string | null, all: readonly T[]): T | '' =>
  all.find((one) => one === value) ?? '';

function readAttackLink(params: URLSearchParams): AttackLink {
  const text = (key: (typeof TEXTS)[number]) => params.get(key) ?? '';
  return {
    view: oneOf(params.get('view'), VIEWS) || 'coverage',
    days: ATTACK_DAYS.find((days) => String(days) === params.get('days')) ?? 7,
    ...{ q: text('q'), platform: text('platform'), tactic: text('tactic'), stream: text('stream') },
    state: oneOf(params.get('state'), ATTACK_STATES),
    stage: oneOf(params.get('stage'), STAGES),
    kind: oneOf(params.get('kind'), ATTACK_RULE_KINDS),
    technique: /^T\d{4}(\.\d{3})?$/.test(text('technique')) ? text('technique') : '',
    against: againstOf(text('against')) ? text('against') : '',
    subs: params.get('subs') === '1',
  };
}

function writeAttackLink(link: AttackLink): URLSearchParams {
  const params = new URLSearchParams();
  if (link.view !== 'coverage') params.set('view', link.view);
  if (link.days !== 7) params.set('days', String(link.days));
  for (const key of [...TEXTS, 'state', 'stage', 'kind'] as const)
    if (link[key] !== '') params.set(key, link[key]);
  if (link.subs) params.set('subs', '1');
  return params;
}

/** What a text of the address compares with; null for one that says nothing. */
export function againstOf(text: string): Against | null {
  const [, kind, id = ''] = /^(layer|actor|day):([\w-]+)$/.exec(text) ?? [];
  if (kind === 'layer') return { kind, layer_id: id };
  if (kind === 'actor' && /^[GC]\d{4}$/.test(id)) return { kind, actor_id: id };
  if (kind === 'day' && /^\d{4}-\d\d-\d\d$/.test(id)) return { kind, day: id };
  return null;
}

const FILTERS: readonly (readonly [AttackFilterKey, keyof AttackLink])[] = [
  ['platform', 'platform'],
  ['tactic', 'tactic'],
  ['state', 'state'],
  ['stream', 'stream'],
  ['stage', 'stage'],
  ['kind', 'kind'],
  ['text', 'q'],
];

/** The filters of the calls. */
export const filtersOf = (link: AttackLink) =>
  FILTERS.flatMap(([filter_key, key]) => {
    const filter_value = String(link[key]).trim();
    return filter_value === '' ? [] : [{ filter_key, filter_value }];
  });

const LINK = {
  read: readAttackLink,
  write: writeAttackLink,
  // A technique that is opened can be left with Back.
  isSmall: (part: Partial<AttackLink>) => !part.technique,
};

export const useAttackLink = (): readonly [AttackLink, ChangeAttackLink] => useAddressLink(LINK);
