import { type ContentUpdate, isPackRuleId, UPDATE_KINDS } from '@tyrian/contract';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';

/** Paths of content at the place of the session. */
export function useContentPaths() {
  const scope = useScope();
  return {
    updates: (kind?: ContentUpdate['kind']): string =>
      `${scopePath(scope, '/updates')}${kind ? `?kind=${kind}` : ''}`,
    /** The page of a workbook or of a rule. */
    item: (ID: string): string =>
      isPackRuleId(ID)
        ? scopePath(scope, `/rules/${encodeURIComponent(ID)}`)
        : scopePath(scope, `/workbook/view/${encodeURIComponent(ID)}`),
  };
}

/** The kind that an address names; undefined for all. */
export const kindOf = (text: string): ContentUpdate['kind'] | undefined =>
  UPDATE_KINDS.find((kind) => kind === text);
