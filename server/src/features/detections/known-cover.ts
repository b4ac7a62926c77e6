import { createHash } from 'node:crypto';
import type { Plan } from '@tyrian/plan';
import type { Compiled } from '../search/query-service.ts';
import { analysePlan } from './analyse-plan.ts';
import { findsOnlyWithNewEvents } from './new-findings.ts';
import { type LiteralPart, literalCoverOf } from './prefilter/literal-cover.ts';
import { asksElsewhere, coverOf, type RuleCover } from './rule-cover.ts';
import { asGrouped, type GroupedPlan } from './touched-groups.ts';

/** What is known of a compiled query beforehand, worked out once. */
export interface KnownCover {
  readonly cover: RuleCover;
  /** Equal for equal covers. */
  readonly id: string;
  /** Null when events may pass that hold no literal that is known. */
  readonly literals: readonly LiteralPart[] | null;
  /** It may find something new without a new event of its tables. */
  readonly asksElsewhere: boolean;
  /** It finds nothing new because events have left its range. */
  readonly needsNew: boolean;
  /** Where only groups that an event of the window belongs to can tell something new. */
  readonly grouped: GroupedPlan | null;
}

const known = new WeakMap<Plan, KnownCover | null>();

/** The cover of a compiled query; null when it has none. */
export function knownCover({ plan, questions }: Compiled): KnownCover | null {
  const found = known.get(plan);
  if (found !== undefined) return found;
  const cover = questions.length === 0 && analysePlan(plan).needsEvents ? coverOf(plan) : null;
  const fresh = cover && knownOf(plan, cover);
  known.set(plan, fresh);
  return fresh;
}

function knownOf(plan: Plan, cover: RuleCover): KnownCover {
  const [elsewhere, needsNew] = [asksElsewhere(plan), findsOnlyWithNewEvents(plan)];
  return {
    cover,
    id: createHash('sha256').update(JSON.stringify(cover)).digest('base64url').slice(0, 22),
    literals: literalCoverOf(cover.parts),
    asksElsewhere: elsewhere,
    needsNew,
    grouped: needsNew && !elsewhere ? asGrouped(plan) : null,
  };
}
