import type { RuleDraft } from '@tyrian/contract';
import { type DraftCondition, type DraftKind, draftKql } from '@tyrian/sigma';
import { type DraftPlace, matchesOf } from './draft-queries.ts';

/** The conditions as KQL, with what it finds in the day. */
export async function kqlDraft(
  place: DraftPlace,
  kind: DraftKind,
  conditions: readonly DraftCondition[],
): Promise<RuleDraft['kql']> {
  if (conditions.length === 0) return null;
  const text = draftKql(kind, conditions);
  const { selected, others } = await matchesOf(place, text, 'day');
  return { text, others, matches_all: selected === new Set(place.uids).size };
}
