/** Screens of workbooks, by route. */
export const SCREENS = {
  workbooks: async () => (await import('./workbook-list-page.tsx')).WorkbookListPage,
  workbook: async () => (await import('./workbook-page.tsx')).WorkbookPage,
};
