import type { checkExtractor, ExtractorCheck, OutputOf } from '@tyrian/contract';
import { useMemo } from 'react';
import { useFindingText } from './finding-text.ts';
import type { TextMark } from './yaml-editor.tsx';

/** Checks whose lines are those of the samples. */
export const OF_SAMPLES: readonly ExtractorCheck['check'][] = ['samples-match', 'samples-unique'];

/** What is wrong with the definition, for its editor. */
export function useMarks(found: OutputOf<typeof checkExtractor> | undefined): readonly TextMark[] {
  const textOf = useFindingText();
  return useMemo(
    () =>
      (found?.checks ?? [])
        .filter(({ check }) => !OF_SAMPLES.includes(check))
        .flatMap(({ findings }) =>
          findings.flatMap((one): TextMark[] =>
            one.line === null || one.fault === null
              ? []
              : [
                  {
                    line: one.line,
                    column: one.column ?? 1,
                    severity: one.result === 'fail' ? 'error' : 'warning',
                    message: textOf(one),
                  },
                ],
          ),
        ),
    [found, textOf],
  );
}
