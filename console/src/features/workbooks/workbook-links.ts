import { useNavigate } from 'react-router';
import { placePath } from '../../lib/place.ts';
import { useScope } from '../../lib/session-store.ts';

export type WorkbookMode = 'new' | 'edit' | 'view' | 'version' | 'run';

/** Paths of workbooks at the place of the session. */
export function useWorkbookPaths() {
  const place = useScope();
  return {
    list: placePath(place, '/workbook'),
    /** `data` is the id of a workbook; `blank` for a new one. */
    page: (mode: WorkbookMode, data: string, query: Readonly<Record<string, string>> = {}): string => {
      const text = new URLSearchParams(query).toString();
      const path = placePath(place, `/workbook/${mode}/${encodeURIComponent(data)}`);
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
