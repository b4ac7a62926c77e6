// What other features may use of cases.
export { AddToCase } from './add-to-case.tsx';
export { CaseLink } from './case-link.tsx';
