/** Words that stand as values in other messages. */
export const WORD_MESSAGES = {
  statusOpen: 'Open',
  statusOnHold: 'On hold',
  statusInProgress: 'In progress',
  statusClosed: 'Closed',
  severityCritical: 'Critical',
  severityHigh: 'High',
  severityMedium: 'Medium',
  severityLow: 'Low',
  severityNone: 'None',
  resolutionTruePositive: 'true positive',
  resolutionBenign: 'benign',
  resolutionFalsePositive: 'false positive',
  resolutionDuplicate: 'duplicate',
  resolutionOther: 'other',
  addressDatabase: 'The address database',
  userAgents: 'The list of user agents',
} as const;
