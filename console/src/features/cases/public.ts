// What other features may use of cases.
export { AddToCase, type AddToCaseProps } from './add-to-case.tsx';
export { CaseLink } from './case-link.tsx';
