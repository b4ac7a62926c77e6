/** The engines behind the calls, and what the stores refuse. */
export const ENGINE_MESSAGES = {
  internal: 'Internal error',
  recordsDown:
    'PostgreSQL (records) is not available right now and is being restarted; try again in a few seconds',
  failed: 'The engine failed: {{reason}}',
  late: 'The engine did not answer in time',
  oneIsDown: 'An engine is not available right now; try again in a few seconds',
  callerLeft: 'The client closed the connection',
  dataDiffers: 'This does not match the stored data; reload it and repeat the change',
  valueUnkept: 'A value of this call cannot be stored; check the input',
  valueTooLarge: 'A value of this call is too large to be stored; send less',
  auditUnwritten:
    'The audit trail cannot be written right now, so nothing was done; try again in a few seconds',
  eventsBehind: 'The events of this tenant are being brought up to date; try again later',
  componentRunning: 'The component is running',
  dataLoading: '{{data}} is still being loaded; try again in a few seconds',
  dataNotLoaded: '{{data}} could not be loaded; see the server log',
  rowTooLarge:
    'A row of the result is larger than {{most}}, the limit for one row; collect fewer values into one, e.g. with the second argument of make_list() or make_set(), or project fewer columns',
  resultTooLarge:
    'The result is larger than {{most}}, the limit for rows that are read at once; ask for fewer rows or columns',
  resultMemoryFull:
    'Large results of other queries use all the result memory; ask for fewer rows or columns, or try again in a moment',
} as const;

/** Why a component is not active. */
export const COMPONENT_MESSAGES = {
  cpuOver: 'CPU {{value}} % of {{limit}} %',
  memoryOver: 'Memory {{value}} % of {{limit}} %',
  diskOver: 'Disk {{value}} % of {{limit}} %',
  silent: 'No heartbeat for a minute',
  stopped: 'Stopped',
  degraded: 'Degraded',
  down: 'Down',
  unknown: 'Unknown',
  active: 'Active',
  starting: 'Starting',
  proxyNotNamed:
    'Requests carry X-Forwarded-For, but TYRIAN_TRUSTED_PROXIES names no proxy: all users behind the proxy count as one address',
} as const;

export const JOB_MESSAGES = {
  notCancelable: 'The job has ended; only a job that waits or runs can be canceled',
  notRetryable: 'Only a job that failed or was canceled can be retried',
  processEnded: 'The process that ran it ended',
  attemptFailed: 'The attempt failed: {{reason}}',
} as const;

export const LIVE_MESSAGES = {
  tooManyStreams: 'Too many live updates are open; close some tabs',
} as const;

/** Lists that leave as files. */
export const LIST_MESSAGES = {
  tooManyRows: 'The list has {{rows}} rows, but a file can have at most {{most}}; narrow the filters',
  selectionQuery: 'must be a text of at most {{most}} characters',
} as const;

export const PREFERENCE_MESSAGES = {
  tooManyTables: 'too many lists',
  tooManyViews: 'At most {{most}} views can be saved; delete some first',
} as const;
