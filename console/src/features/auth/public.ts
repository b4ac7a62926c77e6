// What other features may use of sign-in.
export { AuthCard } from './auth-card.tsx';
export { completeSignIn } from './complete-sign-in.ts';
export { readAccess } from './refresh-access.ts';
export { choosePlace } from './switch-place.ts';
