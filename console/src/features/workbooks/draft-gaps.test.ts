import { type WorkbookDraft, workbookDraftSchema } from '@tyrian/contract';
import { describe, expect, it } from 'vitest';
import { gapsOf, withoutGaps } from './draft-gaps.ts';
import { newDraft, signalBlock } from './workbook-draft.ts';

/** A new detection in which nothing but one suspect is filled in. */
function halfWritten(): WorkbookDraft {
  const draft = newDraft('ProcessEvent');
  const signal = signalBlock();
  const suspects = [
    { type: 'user', field: 'ActorUsername' },
    { type: 'host', field: ' ' },
  ] as const;
  const body = { ...signal.body, suspects: [...suspects], targets: [{ type: 'host', field: '' } as const] };
  return { ...draft, blocks: [...draft.blocks, { ...signal, block_id: 's', body }] };
}

describe('a draft that is still being written', () => {
  it('says what is to be filled in', () => {
    expect(gapsOf(halfWritten())).toEqual(
      ['name', 'suspects.1', 'targets.0'].map((field) => ({ block_id: 's', field })),
    );
  });

  it('can be checked without its gaps', () => {
    expect(workbookDraftSchema.safeParse(halfWritten()).success).toBe(false);
    const checked = workbookDraftSchema.parse(withoutGaps(halfWritten()));
    expect(gapsOf(checked)).toEqual([]);
    expect(checked.blocks.at(-1)).toMatchObject({
      body: { suspects: [{ field: 'ActorUsername' }], targets: [] },
    });
  });
});
