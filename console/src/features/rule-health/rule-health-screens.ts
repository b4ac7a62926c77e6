/** Screens of the runs and the health of rules, by route. */
export const SCREENS = {
  signalJobs: async () => (await import('./signal-jobs-page.tsx')).SignalJobsPage,
  scheduledJobs: async () => (await import('./scheduled-jobs-page.tsx')).ScheduledJobsPage,
  ruleHealth: async () => (await import('./rule-health-page.tsx')).RuleHealthPage,
};
