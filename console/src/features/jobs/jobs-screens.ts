/** Screens of jobs. */
export const SCREENS = {
  'S2-14-jobs': () => import('./job-list-page.tsx').then((file) => file.JobListPage),
};
