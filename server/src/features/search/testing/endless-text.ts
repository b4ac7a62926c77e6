/**
 * A query within the limits on text whose compiling takes many seconds: what the binder does grows with the square of the
 * joins. Texts of different names are compiled each for itself.
 */
export const endlessText = (name: string): string =>
  `Events | where Raw == "${name}"${' | join (Events) on EventUid'.repeat(400)}`;
