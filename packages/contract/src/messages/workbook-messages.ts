export const WORKBOOK_MESSAGES = {
  hasErrors: 'The workbook has errors',
  folderExists: 'The folder {{path}} already exists',
  folderNotEmpty: 'The folder {{path}} is not empty',
  planStreamed: 'The plan {{plan}} allows {{allowed}} streamed workbooks',
  notYaml: 'The file is not YAML: {{problem}}',
  notAWorkbook: 'The file does not contain a workbook: {{problem}}',
  expectedParts: 'name, schedule and blocks are expected',
  yaml: '{{fault}}',
  yamlKey: 'a key that is not plain text',
  yamlTooDeep: 'nested deeper than {{most}} levels',
  yamlTooLong: 'more values than a workbook has',
  yamlKeyTwice: '{{key}} is given twice',
  builtIn: 'This workbook is built-in and read-only: clone it to make changes',
  lockedBy: '{{name}} has locked this workbook',
  savedMeanwhile:
    'Version {{version}} was saved in the meantime; your change is based on version {{expected}}',
  nameTaken: 'A workbook named {{name}} already exists',
} as const;

/** Mistakes of a draft, and why a detection fails. */
export const RULE_MESSAGES = {
  noSignalBlock: 'There is no signal block below a KQL block to try',
  cronFields: 'A cron expression has five fields: minute, hour, day of month, month, day of week',
  cronStuck: 'The cron expression {{cron}} never comes due again',
  cronWrong: 'The cron expression is wrong: {{reason}}',
  nothingToRun: 'There is nothing to run: no signal block below a KQL block',
  nothingToRunHint: 'Add a signal block, or switch the schedule off.',
  countsOverRuns:
    'The query counts over several events, and each run sees only what came in since the last one',
  lookBack: 'Look back {{minutes}} minutes, or events that fall into two runs are never counted together.',
  noColumn: 'The query yields no column {{field}}',
  columns: 'The query yields {{columns}}.',
  noEntity: 'A signal needs at least one suspect or target',
  noTactic: 'ATT&CK {{version}} has no tactic {{tactic}}',
  noTechnique: 'ATT&CK {{version}} has no technique {{technique}}',
  otherTactic: '{{technique}} belongs to {{tactics}}, not to {{tactic}}',
  otherTechnique: '{{sub}} is not a sub-technique of {{technique}}',
  subWithoutTechnique: '{{sub}} is a sub-technique, and no technique is chosen',
  signalAboveQuery: 'A signal block needs a KQL block above it',
  doesNotCompile: 'The query does not compile: {{diagnostic}}',
  evaluationFailed: 'The evaluation failed: {{reason}}',
} as const;
