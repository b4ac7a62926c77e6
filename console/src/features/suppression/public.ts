// What other features use of suppression: the dialog of a rule, filled in from a signal, and what is kept out of a range.

export { SuppressedNote } from './suppressed-note.tsx';
export { draftOfSignal, SuppressionDialog } from './suppression-dialog.tsx';
