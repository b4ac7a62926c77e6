import { newId } from '../../platform/new-id.ts';

// Queries of a preview have names on the engine that tell the preview and the rule.

export interface QueryNames {
  /** A name for each query of a rule. */
  nameFor(position: number): () => string;
  /** Names that were given. */
  readonly count: number;
}

export const queryPrefix = (previewId: string): string => `preview-${previewId}-`;

export function createQueryNames(previewId: string): QueryNames {
  let count = 0;
  return {
    nameFor: (position) => () => {
      count += 1;
      return `${queryPrefix(previewId)}${position}-${newId()}`;
    },
    get count() {
      return count;
    },
  };
}
