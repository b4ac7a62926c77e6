/** The screens of streams, columns and fields, by route. */
export const SCREENS = {
  dataModel: () => import('./data-model-page.tsx').then((file) => file.DataModelPage),
  dataModelStream: () => import('./model-stream-page.tsx').then((file) => file.ModelStreamPage),
};
