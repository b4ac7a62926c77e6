import { type CaseStatus, type Resolution, type ServerMessage, type Severity, say } from '@tyrian/contract';

// Statuses, severities and resolutions as messages name them, each in the reader's language.

const STATUSES = {
  OPEN: 'words.statusOpen',
  'ON-HOLD': 'words.statusOnHold',
  'IN-PROGRESS': 'words.statusInProgress',
  CLOSED: 'words.statusClosed',
} as const satisfies Record<CaseStatus, string>;

const RESOLUTIONS = {
  true_positive: 'words.resolutionTruePositive',
  benign: 'words.resolutionBenign',
  false_positive: 'words.resolutionFalsePositive',
  duplicate: 'words.resolutionDuplicate',
  other: 'words.resolutionOther',
} as const satisfies Record<Resolution, string>;

export const statusWord = (status: CaseStatus): ServerMessage => say(STATUSES[status]);
export const severityWord = (severity: Severity): ServerMessage => say(`words.severity${severity}`);
export const resolutionWord = (resolution: Resolution): ServerMessage => say(RESOLUTIONS[resolution]);
