import type { checkExtractor, ExtractorCheck, OutputOf } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFindingText } from './finding-text.ts';
import type { TextMark } from './yaml-editor.tsx';

/** Checks whose lines are those of the samples. */
export const OF_SAMPLES: readonly ExtractorCheck['check'][] = ['samples-match', 'samples-unique'];

/** What is wrong with the definition, for its editor. */
export function useMarks(found: OutputOf<typeof checkExtractor> | undefined): readonly TextMark[] {
  const { i18n } = useTranslation('extraction');
  const textOf = useFindingText();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts change with the language alone
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
    [found, i18n.language],
  );
}
