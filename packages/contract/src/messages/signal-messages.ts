export const SIGNAL_MESSAGES = {
  filterOperand: '{{key}} cannot be filtered by {{operand}}',
  filterNeedsNumber: '{{key}} needs a number',
  noFilterField: 'Signals have no field {{key}} to filter by',
  tooManySlices: 'the range has more than {{most}} slices of {{step}} ms',
  raisedBy: 'version {{version}}',
  tagExists: 'The tag {{tag}} already exists',
} as const;
