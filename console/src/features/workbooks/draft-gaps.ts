import type { Block, DraftProblem, SignalBody, WorkbookDraft } from '@tyrian/contract';

// A draft in the middle of being written has gaps: an entity whose column is not chosen yet, a signal without a
// name. They are no reason to stop checking the rest, so the check gets the draft without them.

/** What is still to be filled in, by place. The message is for the page to write. */
type DraftGap = Pick<DraftProblem, 'field'> & { readonly block_id: string };

const isEmpty = (text: string): boolean => text.trim() === '';

export function gapsOf(draft: WorkbookDraft): DraftGap[] {
  return draft.blocks.flatMap((block): DraftGap[] => {
    if (block.type !== 'signal') return [];
    const { block_id, body } = block;
    const empty = (list: 'suspects' | 'targets') =>
      body[list].flatMap(({ field }, index) =>
        isEmpty(field) ? [{ block_id, field: `${list}.${index}` }] : [],
      );
    return [
      ...(isEmpty(body.name) ? [{ block_id, field: 'name' }] : []),
      ...empty('suspects'),
      ...empty('targets'),
      // The server refuses a signal that names nobody.
      ...(body.suspects.length + body.targets.length === 0 ? [{ block_id, field: 'suspects' }] : []),
    ];
  });
}

/** The draft as it can be checked: without its gaps. */
export function withoutGaps(draft: WorkbookDraft): WorkbookDraft {
  const filled = (body: SignalBody): SignalBody => ({
    ...body,
    name: body.name.trim() || 'draft',
    suspects: body.suspects.filter(({ field }) => !isEmpty(field)),
    targets: body.targets.filter(({ field }) => !isEmpty(field)),
  });
  const blocks = draft.blocks.map(
    (block): Block => (block.type === 'signal' ? { ...block, body: filled(block.body) } : block),
  );
  return { ...draft, name: draft.name.trim() || 'draft', blocks };
}
