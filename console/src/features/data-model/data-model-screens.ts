/** The screen of streams and columns. */
export const SCREENS = {
  'S2-53': () => import('./data-model-page.tsx').then((file) => file.DataModelPage),
};
