import type { ExtractorFinding } from '@tyrian/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../../lib/server-text.ts';

/** What a check found, in the language of the console: mistakes of the definition by their code. */
export function useFindingText(): (finding: ExtractorFinding) => string {
  const { t, i18n } = useTranslation('extractor-faults');
  return useCallback(
    (finding) => {
      const { fault } = finding;
      if (fault === null) return serverText(finding);
      // A newer server may know others.
      if (!i18n.exists(fault.code, { ns: 'extractor-faults' })) return finding.message;
      return t(fault.code as 'alias', fault.values);
    },
    [t, i18n],
  );
}
