// What other features may use of cases.
export { AddToCase } from './add-to-case.tsx';
export { NO_FOCUS } from './case-focus.ts';
export { CaseLink } from './case-link.tsx';
export type { SignalPanelProps } from './case-page.tsx';
export { useCaseReload } from './case-queries.ts';
export { RelationMap } from './case-relations.tsx';
