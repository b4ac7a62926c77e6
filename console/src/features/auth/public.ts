// What other features may use of sign-in.
export { switchPlace } from './switch-place.ts';
