import { isSignedIn, type SignInAnswer, type UserAccess } from '@tyrian/contract';

/** The access record of a sign-in that needed no second step. */
export function signedIn(answer: SignInAnswer): UserAccess {
  if (!isSignedIn(answer)) throw new Error('the sign-in waits for a second step');
  return answer;
}
