export const MAIL_MESSAGES = {
  notConfigured: 'No mail server is configured',
  rejected: 'The mail server rejected the email: {{reason}}',
  componentState: '{{name}}: {{state}}',
  testSubject: 'Mail server test',
  testText: '{{name}} sent this email to see whether Tyrian can send email. It can.',
} as const;

/** Single sign-on, and what is read from servers that an administrator names. */
export const SSO_MESSAGES = {
  notSetUp: 'Single sign-on is not set up for this address',
  providerSilent: 'The identity provider of the organization does not answer',
  expired: 'This sign-in has expired or was already used: start again',
  notACertificate: 'one of the entries is not a certificate',
  documentOrAddresses: 'provide the metadata document or the addresses of the provider',
  secretAgain: 'enter the secret again, because the provider has changed',
  inUse: 'The organization uses single sign-on: choose another sign-in method first',
  withPassword: 'must not contain a password',
  withQuery: 'must not contain a query or a fragment',
  downloadInstead: 'must not contain a query or a fragment; download the document and provide it instead',
  bareIssuer: 'must be the issuer itself, without the path of its document (/.well-known/)',
  issuerDiffers:
    'the provider at this address has a different issuer; enter the issuer exactly as the provider writes it',
  documentType: 'must not contain a document type declaration (DOCTYPE)',
  notMetadata: 'is not a SAML metadata document (EntityDescriptor)',
  noProvider: 'contains no identity provider (IDPSSODescriptor)',
  noSignInAddress: 'contains no sign-in address for HTTP-Redirect',
  noCertificate: 'contains no certificate to verify signatures',
} as const;

/** Servers outside that are asked. */
export const OUTGOING_MESSAGES = {
  notReached:
    'the address could not be reached or is not allowed; an operator can list its network in TYRIAN_OUTGOING_ALLOW',
  notReachedHttp:
    'the address could not be reached or is not allowed; an operator can list its network in TYRIAN_OUTGOING_ALLOW; plain http is allowed only for listed networks',
  tooManyConnections: 'Too many connections of this organization are waiting for an answer; try again soon',
  certificate: 'the certificate of the server is not accepted: {{problem}}',
  noEntry: 'no single entry matches the filter',
} as const;
