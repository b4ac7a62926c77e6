// What other features may use of sign-in.
export { readAccess } from './refresh-access.ts';
export { switchPlace } from './switch-place.ts';
