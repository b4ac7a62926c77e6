// What is selected on a case page: a signal or an entity. Selecting it on one side lights it, and what it is
// joined to, on the other.

export interface CaseFocus {
  readonly signalId: string | null;
  /** `type|value`. */
  readonly entityKey: string | null;
}

export const NO_FOCUS: CaseFocus = { signalId: null, entityKey: null };

export function entityKey(entity: { readonly type: string; readonly value: string }): string {
  return `${entity.type}|${entity.value}`;
}

/** The focus on a signal, or none when it had it already. */
export function toggleSignal(focus: CaseFocus, signalId: string): CaseFocus {
  return focus.signalId === signalId ? NO_FOCUS : { signalId, entityKey: null };
}

export function toggleEntity(focus: CaseFocus, key: string): CaseFocus {
  return focus.entityKey === key ? NO_FOCUS : { signalId: null, entityKey: key };
}
