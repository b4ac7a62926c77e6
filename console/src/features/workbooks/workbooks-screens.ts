/** Screens of workbooks, by route. */
export const SCREENS = {
  'S2-57': async () => (await import('./workbook-list-page.tsx')).WorkbookListPage,
  'S2-58': async () => (await import('./workbook-page.tsx')).WorkbookPage,
};
