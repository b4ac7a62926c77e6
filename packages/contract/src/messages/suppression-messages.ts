export const SUPPRESSION_MESSAGES = {
  tooMany: 'A scope has at most {{most}} suppression rules: delete one that has no hits',
  noWorkbook: 'There is no such workbook or rule in this scope',
  expired: 'The expiry lies in the past: choose a later time, or none',
  changedMeanwhile: 'The suppression rule was changed by another user in the meantime',
} as const;
