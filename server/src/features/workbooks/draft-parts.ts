import { type UpdatePart, type WorkbookDraft, workbookDraftSchema } from '@tyrian/contract';
import { detectionsIn } from '../detections/rule-definition.ts';

// Which parts of a workbook differ between two drafts, by name.

/** What each part holds, as text that is equal when the part is. */
function partsOf(draft: WorkbookDraft): Readonly<Partial<Record<UpdatePart, string>>> {
  const signals = detectionsIn(draft.blocks).map(({ signal }) => signal.body);
  const of = (pick: (signal: (typeof signals)[number]) => unknown): string =>
    JSON.stringify(signals.map(pick));
  return {
    name: JSON.stringify([draft.name, signals.map(({ name }) => name)]),
    description: draft.description,
    folder: draft.directory,
    stage: draft.stage,
    schedule: JSON.stringify(draft.schedule),
    tags: JSON.stringify([draft.tags, signals.map(({ tags }) => tags)]),
    query: JSON.stringify(draft.blocks.flatMap((block) => (block.type === 'kql' ? [block.body] : []))),
    text: JSON.stringify(draft.blocks.flatMap((block) => (block.type === 'text' ? [block.body] : []))),
    score: of(({ score, confidence }) => [score, confidence]),
    technique: of(({ tactic, technique, sub_technique }) => [tactic, technique, sub_technique]),
    entities: of(({ suspects, targets }) => [suspects, targets]),
    samples: JSON.stringify(draft.samples ?? []),
    knowledge: of(({ kb }) => kb),
  };
}

/** The draft with its fields in the order of the schema, whatever order a store gave them. */
export const inOrder = (draft: WorkbookDraft): WorkbookDraft =>
  workbookDraftSchema.safeParse(draft).data ?? draft;

/** The parts in which two drafts differ. */
export function differingParts(before: WorkbookDraft, after: WorkbookDraft): UpdatePart[] {
  const [one, other] = [partsOf(inOrder(before)), partsOf(inOrder(after))];
  return (Object.keys(one) as UpdatePart[]).filter((part) => one[part] !== other[part]);
}
