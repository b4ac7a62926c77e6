import { isPackRuleId } from '@tyrian/contract';
import { useNavigate } from 'react-router';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';

export type WorkbookMode = 'new' | 'edit' | 'view' | 'version' | 'run';

/** Paths of workbooks at the place of the session. */
export function useWorkbookPaths() {
  const scope = useScope();
  return {
    list: scopePath(scope, '/workbook'),
    /** `data` is the id of a workbook, or of a rule of a pack, which has a page of its own; `blank` for a new one. */
    page: (mode: WorkbookMode, data: string, query: Readonly<Record<string, string>> = {}): string => {
      if (isPackRuleId(data)) return scopePath(scope, `/rules/${encodeURIComponent(data)}`);
      const text = new URLSearchParams(query).toString();
      const path = scopePath(scope, `/workbook/${mode}/${encodeURIComponent(data)}`);
      return text === '' ? path : `${path}?${text}`;
    },
  };
}

/** Opens a workbook page. */
export function useOpenWorkbook(): (
  mode: WorkbookMode,
  data: string,
  query?: Record<string, string>,
) => void {
  const navigate = useNavigate();
  const paths = useWorkbookPaths();
  return (mode, data, query) => void navigate(paths.page(mode, data, query));
}
