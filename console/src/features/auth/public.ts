// What other features may use of sign-in.
export { readAccess } from './refresh-access.ts';
export { SessionSection } from './session-section.tsx';
export { switchPlace } from './switch-place.ts';
