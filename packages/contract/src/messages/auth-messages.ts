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
  passkeysNeedAddress:
    'Passkeys work only when the public address of the console is set; ask the administrator',
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
  keptElsewhere: 'Your organization manages passwords outside Tyrian; change yours there',
  oldIsWrong: 'The old password is wrong',
  isWrong: 'The password is wrong',
  rulesBroken: 'The new password breaks a rule: {{rules}}',
  ruleLength: 'length',
  ruleUpper: 'upper-case letter',
  ruleLower: 'lower-case letter',
  ruleDigit: 'digit',
  ruleSpecial: 'special character',
  common:
    'The password is well known or close to one that is, and attackers try those first; use several unrelated words or random characters',
  personal:
    'The password contains your name, your address, your organization or the product, and attackers try those first; use several unrelated words or random characters',
  usedBefore: 'The new password was already used',
  linkExpired: 'The link has expired or was already used',
  organizationKeepsElsewhere: 'The organization manages passwords outside Tyrian',
  tooManyMails: '{{most}} emails were sent to the user within an hour; try again later',
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
