/** Screens of jobs. */
export const SCREENS = {
  jobs: () => import('./job-list-page.tsx').then((file) => file.JobListPage),
};
