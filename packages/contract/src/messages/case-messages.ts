export const CASE_MESSAGES = {
  nobodyHandles: 'No user with this ID can handle cases here',
  changedMeanwhile: 'The case was changed by another user in the meantime',
  needsHandler: 'A case in progress needs a handler',
  closed: 'The case is closed; reopen it to change it',
  sameStatus: 'The case already has the status {{status}}',
  transition: 'A case cannot go from {{from}} to {{to}}',
  handlerMissing: 'A case needs a handler before it can be in progress',
  resolutionMissing: 'A case is closed with a resolution',
  signalNotFound: 'Signal not found',
  entityKnown: 'The entity is already in the case',
  filterNeedsNumber: '{{key}} needs one number',
  filterNeedsNumbers: '{{key}} needs {{count}} numbers',
  filterOperand: '{{key}} cannot be filtered by {{operand}}',
  tooManyDays: 'at most {{most}} days at once',
} as const;

/** The notes that the product itself adds to a case. */
export const NOTE_MESSAGES = {
  created: 'Case created by {{name}}',
  createdFromSignal: 'Case created by {{name}} from 1 signal',
  createdFromSignals: 'Case created by {{name}} from {{count}} signals',
  severityChanged: 'Severity changed from {{from}} to {{to}} by {{name}}',
  handlerSet: 'Handler set to {{handler}} by {{name}}',
  handlerRemoved: 'Handler removed by {{name}}',
  onHold: 'The case was placed on hold',
  statusChanged: 'Status changed from {{from}} to {{to}} by {{name}}',
  closedAs: 'Status changed from {{from}} to {{to}} as {{resolution}} by {{name}}',
  signalAdded: '1 signal added by {{name}}',
  signalsAdded: '{{count}} signals added by {{name}}',
  signalRemoved: 'Signal "{{signal}}" removed by {{name}}',
} as const;
