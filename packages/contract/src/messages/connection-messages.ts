export const MAIL_MESSAGES = {
  notConfigured: 'No mail server is configured',
  rejected: 'The mail server rejected the email: {{reason}}',
  componentState: '{{name}}: {{state}}',
  testSubject: 'Test of the mail server',
  testText: '{{name}} sent this email to see whether Tyrian can send email. It can.',
} as const;

/** Single sign-on, and what is read from servers that an administrator names. */
export const SSO_MESSAGES = {
  notSetUp: 'Single sign-on is not set up for this address',
  providerSilent: 'The identity provider of the organization does not answer',
  expired: 'This sign-in has expired or was already used: start again',
  notACertificate: 'one of them is not a certificate',
  documentOrAddresses: 'give the document of the provider, or its addresses',
  secretAgain: 'enter the secret again, because the provider has changed',
  inUse: 'The organization uses single sign-on: choose another sign-in method first',
  withPassword: 'must not carry a password',
  withQuery: 'must not carry a query or a fragment',
  downloadInstead: 'must not carry a query or a fragment; download the document and give it instead',
  bareIssuer: 'must be the issuer itself, without the path of its document (/.well-known/)',
  issuerDiffers: 'the provider there names itself otherwise: give the issuer as the provider writes it',
  documentType: 'a document type is not allowed',
  notMetadata: 'not a SAML metadata document (EntityDescriptor)',
  noProvider: 'no identity provider (IDPSSODescriptor) in it',
  noSignInAddress: 'no sign-in address by HTTP-Redirect',
  noCertificate: 'no certificate to check signatures with',
} as const;

/** Servers outside that are asked. */
export const OUTGOING_MESSAGES = {
  notReached:
    'the address could not be reached or is not allowed; an operator can list its network in TYRIAN_OUTGOING_ALLOW',
  notReachedHttp:
    'the address could not be reached or is not allowed; an operator can list its network in TYRIAN_OUTGOING_ALLOW; plain http is for listed networks alone',
  tooManyConnections: 'Too many connections of this organization wait for an answer: try again soon',
  certificate: 'the certificate of the server is not accepted: {{problem}}',
  noEntry: 'no single entry matches the filter',
} as const;
