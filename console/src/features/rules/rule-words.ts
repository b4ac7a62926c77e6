import type { RuleImport, RuleLevel, RuleVerdictName } from '@tyrian/contract';
import type { SeverityName } from '../../ui/severity-chip.tsx';
import type { StateTone } from '../../ui/state-mark.tsx';

export const VERDICT_TONES: Readonly<Record<RuleVerdictName, StateTone>> = {
  runs: 'good',
  'missing field': 'warn',
  'missing source': 'warn',
  unsupported: 'bad',
  invalid: 'bad',
};

/** Keys of texts have no blanks. */
export const verdictKey = (verdict: string): string => `verdicts.${verdict.replace(' ', '-')}`;

export const IMPORT_TONES: Readonly<Record<RuleImport['state'], StateTone>> = {
  uploading: 'quiet',
  waiting: 'quiet',
  running: 'good',
  done: 'good',
  failed: 'bad',
  canceled: 'warn',
};

const SEVERITIES: Readonly<Record<RuleLevel, SeverityName>> = {
  informational: 'None',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  critical: 'Critical',
};

export const severityOf = (level: RuleLevel | ''): SeverityName =>
  SEVERITIES[level === '' ? 'medium' : level];

/** Codes whose sentence stands in every locale; another one is told by its verdict. */
const CODES: ReadonlySet<string> = new Set([
  ...[
    'SIG100',
    'SIG101',
    'SIG102',
    'SIG103',
    'SIG104',
    'SIG105',
    'SIG106',
    'SIG107',
    'SIG108',
    'SIG109',
    'SIG110',
    'SIG111',
  ],
  ...[
    'SIG112',
    'SIG113',
    'SIG120',
    'SIG121',
    'SIG122',
    'SIG123',
    'SIG124',
    'SIG125',
    'SIG126',
    'SIG130',
    'SIG131',
    'SIG132',
  ],
  ...['SIG133', 'SIG134', 'SIG140', 'SIG141', 'SIG150', 'SIG151', 'SIG152', 'SIG300', 'SIG301'],
]);

export const reasonKey = (code: string): string | null => (CODES.has(code) ? `reasons.${code}` : null);
