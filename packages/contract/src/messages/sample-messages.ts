export const SAMPLE_MESSAGES = {
  noQuery: 'The rule has no query that could run',
  runFailed: 'The sample could not be run: {{reason}}',
  partOfWorkbook: 'The samples of a workbook are a part of it: save the workbook',
  nothingToRun: 'Name a rule, or give a draft to run',
  notProven:
    'This tenant lets only rules with passing samples reach PROD: add samples, at least one that must match, and run them',
} as const;
