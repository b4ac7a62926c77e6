/** The screen of streams and columns. */
export const SCREENS = {
  dataModel: () => import('./data-model-page.tsx').then((file) => file.DataModelPage),
};
