// The text of a drafted rule on its way to the editor: in the state of the history, so that going back and loading again
// bring it back.

export const draftState = (text: string): object => ({ draftedRule: text });

/** The text that a state of the history carries; null when it carries none. */
export function draftedText(state: unknown): string | null {
  const text = (state as { draftedRule?: unknown } | null)?.draftedRule;
  return typeof text === 'string' && text !== '' ? text : null;
}
