import { MESSAGES } from '../envelope/envelope.ts';

/** Sessions and rights. Three of them are the specification's words. */
export const SESSION_MESSAGES = {
  invalid: MESSAGES.invalidSession,
  userInvalid: MESSAGES.userInvalid,
  notAuthorised: MESSAGES.notAuthorised,
  notFound: MESSAGES.notFound,
  agreementsDue: MESSAGES.agreementsDue,
  tokenWithoutCapability: 'The token has no capability for this call',
} as const;

/** Signing in. */
export const AUTH_MESSAGES = {
  wrongPassword: 'Email or password is incorrect',
  tooManySignIns: 'Too many sign-ins at once; try again',
  tooManyFailures: 'Too many failed sign-ins; try again in {{seconds}} s',
  directorySilent: 'The directory of the organization does not answer',
  signInExpired: 'The sign-in took too long or was already completed; start again',
  tooManyCodes: 'Too many wrong codes; start again',
  passkeysNeedAddress: 'Passkeys need the public address of the console',
  codesNeedMail: 'Codes are sent by email here, but no mail server is configured',
  wrongCode: 'The code is wrong or was already used',
  noMailedCodes: 'This organization does not send codes by email',
  waitForCode: 'Wait a moment before asking for another code',
  noPasskey: 'There is no passkey',
  setDirectoryFirst: 'set the directory first',
  setSsoFirst: 'set single sign-on up first',
  codesNeedMailServer: 'codes by email need a mail server, and none is configured',
  domainTaken: 'Another organization has one of these domains',
  passwordAgain: 'enter the password again, because the server has changed',
} as const;

export const PASSWORD_MESSAGES = {
  keptElsewhere: 'Your organization keeps your password elsewhere: change it there',
  oldIsWrong: 'The old password is wrong',
  isWrong: 'The password is wrong',
  rulesBroken: 'The new password breaks a rule: {{rules}}',
  ruleLength: 'length',
  ruleUpper: 'upper',
  ruleLower: 'lower',
  ruleDigit: 'digit',
  ruleSpecial: 'special',
  common:
    'The password is a well-known one or a small change of one, which attackers try first: take several words that do not belong together, or random characters',
  personal:
    'The password is made of your name, your address, your organization or the product, which attackers try first: take several words that do not belong together, or random characters',
  usedBefore: 'The new password was already used',
  linkExpired: 'The link has expired or was already used',
  organizationKeepsElsewhere: 'The organization keeps its passwords elsewhere',
  tooManyMails: '{{most}} emails went to the user within an hour; try later',
} as const;

/** The second factors of an account. */
export const FACTOR_MESSAGES = {
  tooManyPasskeys: 'At most {{most}} passkeys are allowed: remove one first',
  passkeyKnown: 'This passkey is already registered',
  lastFactor: 'Your organization asks for a second factor: set up another one first',
  notOffered: 'Your organization does not offer this second factor',
  removeAppFirst: 'An authenticator app is already set up: remove it first',
  secretExpired: 'Start again: the secret is no longer offered',
  wrongCode: 'The code is wrong',
  appKnown: 'An authenticator app is already set up',
  passkeysNeedAddress: 'Passkeys need the public address of the console, over HTTPS with a name',
  startAgain: 'Start again',
  passkeyInvalid: 'The passkey answer is not valid',
  setUpFirst: 'Set up a second factor first',
  changeOwn: 'Change your own second factor yourself',
} as const;
