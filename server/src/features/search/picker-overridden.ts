import type { SearchNotice } from '@tyrian/contract';

/** Said of a query that filters time itself. */
export const PICKER_OVERRIDDEN: SearchNotice = {
  code: 'picker-overridden',
  message: 'The query filters TimeGenerated itself, so the chosen time range is not used.',
};
