import { useQuery } from '@tanstack/react-query';
import { checkOwnRule, type PackRuleDetail, readPackRule } from '@tyrian/contract';
import { useDeferredValue, useEffect, useState } from 'react';
import { useScope } from '../../../lib/session-store.ts';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';
import { callQuery } from '../../../lib/use-call.ts';

// The text of a rule while it is written: what it began from, what was saved, and what the server says of it.

export interface RuleBase {
  readonly text: string;
  /** 0 while the rule is new. */
  readonly version: number;
}

/** The text, the version that it is based on, and whether it differs from that. */
export function useRuleDraft(first: RuleBase) {
  const [base, setBase] = useState(first);
  const [text, setText] = useState(first.text);
  const isDirty = text !== base.text;
  useUnsavedWork(isDirty);
  return {
    text,
    setText,
    base,
    isDirty,
    /** This text is what the server has as that version now. */
    adopt: (saved: RuleBase) => {
      setBase(saved);
      setText(saved.text);
    },
    /** The text was saved as that version; what was typed since stays. */
    saved: setBase,
  };
}
export type RuleDraft = ReturnType<typeof useRuleDraft>;

const PAUSE_MS = 500;

/** The text after a pause in the typing. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** The verdict of the tenant on the text; `isCurrent` is false while it is of an older one. */
export function useRuleCheck(text: string, ruleId: string | undefined) {
  const { clusterId, scopeId } = useScope();
  const paused = useDeferredValue(usePaused(text));
  const input = { scope_id: scopeId, text: paused, ...(ruleId === undefined ? {} : { rule_id: ruleId }) };
  const check = useQuery(callQuery(checkOwnRule, input, { params: { clusterId }, keep: true, quiet: true }));
  return { ...check, isCurrent: paused === text && !check.isPlaceholderData && !check.isFetching };
}
export type RuleCheckQuery = ReturnType<typeof useRuleCheck>;

/** The rule of an id. */
export function useRule(ruleId: string | null) {
  const { clusterId, scopeId } = useScope();
  return useQuery(
    callQuery(
      readPackRule,
      { scope_id: scopeId, rule_id: ruleId ?? '' },
      { params: { clusterId }, quiet: true, enabled: ruleId !== null },
    ),
  );
}

/** Whether the caller may write the rule as it stands. */
export const mayWrite = (rule: PackRuleDetail | undefined): boolean => rule?.own?.may_change ?? true;
