import { allWithin, parseXml, type XmlElement } from './parse-xml.ts';
import { SsoRefusal } from './sso-refusal.ts';

// What the profile of SAML for browsers (Profiles 2.0, 4.1.4.2) demands beyond what the library checks: strong
// signatures, and a bearer confirmation that names us, this request and an end.

const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const STRONG = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

function parse(xml: string): XmlElement {
  const root = parseXml(xml);
  if (!root) throw new SsoRefusal('the answer is not XML');
  return root;
}

/** Throws SsoRefusal when any signature or digest in a message is not of the SHA-2 family. */
export function refuseWeakSignatures(xml: string): void {
  const document = parse(xml);
  for (const name of ['SignatureMethod', 'DigestMethod']) {
    for (const method of allWithin(document, '*', name)) {
      const algorithm = method.getAttribute('Algorithm') ?? '';
      if (!STRONG.has(algorithm))
        throw new SsoRefusal(`signed by ${algorithm.slice(0, 100)}, which is too weak`);
    }
  }
}

function children(parent: XmlElement, name: string): XmlElement[] {
  return allWithin(parent, ASSERTION, name).filter((one) => one.parentNode === parent);
}

/**
 * Throws SsoRefusal unless an assertion, as its signature covers it, is confirmed for whoever bears it: for our address,
 * in answer to this request, and for a time that has not ended. `skewMs` is how far clocks may differ.
 */
export function checkBearer(
  assertionXml: string,
  expected: {
    readonly recipient: string;
    readonly requestId: string;
    readonly now: number;
    readonly skewMs: number;
  },
): void {
  const confirmations = children(parse(assertionXml), 'Subject').flatMap((subject) =>
    children(subject, 'SubjectConfirmation'),
  );
  const data = confirmations
    .filter((one) => one.getAttribute('Method') === BEARER)
    .flatMap((one) => children(one, 'SubjectConfirmationData'));
  const isGood = (one: XmlElement) =>
    one.getAttribute('Recipient') === expected.recipient &&
    one.getAttribute('InResponseTo') === expected.requestId &&
    Date.parse(one.getAttribute('NotOnOrAfter') ?? '') + expected.skewMs > expected.now &&
    !one.hasAttribute('NotBefore');
  if (!data.some(isGood)) {
    throw new SsoRefusal('no confirmation for this address, this request and this time');
  }
}
