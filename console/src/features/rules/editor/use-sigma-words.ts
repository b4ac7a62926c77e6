import type { LintFinding, SigmaHover } from '@tyrian/sigma';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { reasonKey } from '../rule-words.ts';
import type { SigmaWords } from './sigma-text-services.ts';

/** What the editor says of mistakes, findings and words, in the language of the reader. */
export function useSigmaWords(): SigmaWords {
  const { t } = useTranslation('sigma');
  const { t: ofRules } = useTranslation('rules');
  return useMemo(
    () => ({
      mistake: ({ code, message }) => {
        const key = reasonKey(code);
        return key === null ? message : `${ofRules(key)} – ${message}`;
      },
      finding: ({ key, values }: LintFinding) => t(`lint.${key}`, values),
      hover: (hover) => ({ title: titleOf(hover), lines: linesOf(hover, t) }),
    }),
    [t, ofRules],
  );
}

const titleOf = ({ name, title }: SigmaHover): string => (title === undefined ? name : `${name} · ${title}`);

function linesOf(hover: SigmaHover, t: (key: string, values?: Record<string, unknown>) => string): string[] {
  switch (hover.kind) {
    case 'field':
      return hover.sources?.length
        ? [t('hover.field', { sources: hover.sources.join(', ') }), t('hover.table', { table: hover.table })]
        : [t('hover.fieldNowhere')];
    case 'source':
      return hover.mapping === undefined
        ? [t('hover.noMapping')]
        : [t('hover.mapping', { mapping: hover.mapping, streams: hover.streams?.join(', ') ?? 'Events' })];
    case 'key':
      return [t(`keys.${hover.name}`)];
    case 'modifier':
      return [t(`modifiers.${hover.name}`)];
    case 'condition':
      return [t(`conditions.${hover.name}`)];
    case 'tag':
      return [];
  }
}
