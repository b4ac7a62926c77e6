/** The screen of data sources, by route. */
export const SCREENS = {
  dataSources: async () => (await import('./connector-list-page.tsx')).ConnectorListPage,
};
