import type { SamlProvider, ServiceProvider } from '@tyrian/contract';
import { DOMParser } from '@xmldom/xmldom';
import { AppError } from '../../platform/app-error.ts';

// SAML metadata: the provider's, read into what we need of it, and ours, for the provider to read.

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** What is used of an element; the names are those of the DOM. */
interface XmlElement {
  readonly localName: string | null;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  getElementsByTagNameNS(namespace: string, name: string): ArrayLike<unknown>;
}

const refuse = (why: string) => new AppError('bad-input', `metadata: ${why}`, { field: 'metadata' });

/** No document of SAML has a document type; one that does may define entities, so it is not read at all. */
export function hasDocumentType(xml: string): boolean {
  return /<!\s*(DOCTYPE|ENTITY)/i.test(xml);
}

function parseXml(xml: string): XmlElement {
  if (hasDocumentType(xml)) throw refuse('a document type is not allowed');
  const complain = (_level: string, message: string) => {
    throw refuse(`not XML: ${message.split('\n')[0]}`);
  };
  const parser = new DOMParser({ errorHandler: complain });
  const root = parser.parseFromString(xml, 'text/xml')?.documentElement;
  if (!root) throw refuse('empty');
  return root as XmlElement;
}

function all(parent: XmlElement, namespace: string, name: string): XmlElement[] {
  return Array.from(parent.getElementsByTagNameNS(namespace, name)) as XmlElement[];
}

function locationOf(descriptor: XmlElement, name: string): string {
  const services = all(descriptor, METADATA, name);
  const byRedirect = services.find((service) => service.getAttribute('Binding') === REDIRECT);
  return byRedirect?.getAttribute('Location') ?? '';
}

/**
 * What the metadata of an identity provider say: entity, sign-in and logout address (HTTP-Redirect), certificates.
 * Throws AppError `bad-input` that names what is missing.
 */
export function readProviderMetadata(xml: string): SamlProvider {
  const root = parseXml(xml);
  const entities = root.localName === 'EntityDescriptor' ? [root] : all(root, METADATA, 'EntityDescriptor');
  const entity = entities.find((one) => all(one, METADATA, 'IDPSSODescriptor').length > 0);
  const descriptor = entity && all(entity, METADATA, 'IDPSSODescriptor')[0];
  if (!entity || !descriptor) throw refuse('no identity provider (IDPSSODescriptor) in it');
  const sso_url = locationOf(descriptor, 'SingleSignOnService');
  if (!/^https?:\/\//.test(sso_url)) throw refuse('no sign-in address by HTTP-Redirect');
  const certificates = all(descriptor, METADATA, 'KeyDescriptor')
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => all(key, SIGNATURE, 'X509Certificate'))
    .map((certificate) => (certificate.textContent ?? '').replace(/\s+/g, ''))
    .filter((text) => text !== '');
  if (certificates.length === 0) throw refuse('no certificate to check signatures with');
  const slo_url = locationOf(descriptor, 'SingleLogoutService');
  return {
    entity_id: entity.getAttribute('entityID') ?? '',
    sso_url,
    slo_url: /^https?:\/\//.test(slo_url) ? slo_url : '',
    certificates: [...new Set(certificates)],
    metadata_url: '',
  };
}

const escapeXml = (text: string) => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Our metadata: signed requests out, signed assertions in, answers by POST, logout by redirect. */
export function writeServiceMetadata(service: ServiceProvider, certificate: string): string {
  const bare = certificate.replace(/-----[^-]+-----|\s+/g, '');
  const slo = escapeXml(service.slo_url);
  return `<?xml version="1.0" encoding="UTF-8"?>
<EntityDescriptor xmlns="${METADATA}" entityID="${escapeXml(service.entity_id)}">
  <SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${PROTOCOL}">
    <KeyDescriptor use="signing"><KeyInfo xmlns="${SIGNATURE}"><X509Data><X509Certificate>${bare}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
    <SingleLogoutService Binding="${REDIRECT}" Location="${slo}"/>
    <NameIDFormat>${EMAIL}</NameIDFormat>
    <AssertionConsumerService index="0" isDefault="true" Binding="${POST}" Location="${escapeXml(service.acs_url)}"/>
  </SPSSODescriptor>
</EntityDescriptor>
`;
}
