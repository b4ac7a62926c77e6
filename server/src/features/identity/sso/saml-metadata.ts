import {
  type SamlProvider,
  type ServerMessage,
  type ServiceProvider,
  samlProviderSchema,
  say,
  sayOfField,
} from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import { mistakesOf, saidOf } from '../../../platform/http/input-refusal.ts';
import { allWithin, hasDocumentType, parseXml, type XmlElement } from './parse-xml.ts';

// SAML metadata: the provider's, read into what we need of it, and ours, for the provider to read.

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
/** Characters of a document. */
const LARGEST = 500_000;
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

const refuse = (why: ServerMessage) =>
  new AppError('bad-input', sayOfField('metadata', why), { field: 'metadata' });

const ROOTS = ['EntityDescriptor', 'EntitiesDescriptor'];

function metadataRoot(xml: string): XmlElement | null {
  const root = xml.length > LARGEST || hasDocumentType(xml) ? null : parseXml(xml);
  return root?.namespaceURI === METADATA && ROOTS.includes(root.localName ?? '') ? root : null;
}

/** Whether a text is a metadata document at all, of whatever content. */
export function isMetadata(xml: string): boolean {
  return metadataRoot(xml) !== null;
}

function locationOf(descriptor: XmlElement, name: string): string {
  const services = allWithin(descriptor, METADATA, name);
  const byRedirect = services.find((service) => service.getAttribute('Binding') === REDIRECT);
  return byRedirect?.getAttribute('Location') ?? '';
}

/**
 * What the metadata of an identity provider say: entity, sign-in and logout address (HTTP-Redirect), certificates.
 * Throws AppError `bad-input` that names what is missing or too long, without repeating the document.
 */
export function readProviderMetadata(xml: string): SamlProvider {
  if (hasDocumentType(xml)) throw refuse(say('sso.documentType'));
  const root = metadataRoot(xml);
  if (!root) throw refuse(say('sso.notMetadata'));
  const entities =
    root.localName === 'EntityDescriptor' ? [root] : allWithin(root, METADATA, 'EntityDescriptor');
  const entity = entities.find((one) => allWithin(one, METADATA, 'IDPSSODescriptor').length > 0);
  const descriptor = entity && allWithin(entity, METADATA, 'IDPSSODescriptor')[0];
  if (!entity || !descriptor) throw refuse(say('sso.noProvider'));
  const sso_url = locationOf(descriptor, 'SingleSignOnService');
  if (!/^https?:\/\//.test(sso_url)) throw refuse(say('sso.noSignInAddress'));
  const certificates = allWithin(descriptor, METADATA, 'KeyDescriptor')
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => allWithin(key, SIGNATURE, 'X509Certificate'))
    .map((certificate) => (certificate.textContent ?? '').replace(/\s+/g, ''))
    .filter((text) => text !== '');
  if (certificates.length === 0) throw refuse(say('sso.noCertificate'));
  const slo_url = locationOf(descriptor, 'SingleLogoutService');
  return withinLimits({
    entity_id: entity.getAttribute('entityID') ?? '',
    sso_url,
    slo_url: /^https?:\/\//.test(slo_url) ? slo_url : '',
    certificates: [...new Set(certificates)],
    metadata_url: '',
  });
}

/** The limits of what is typed hold for what stands in a document too. */
function withinLimits(read: SamlProvider): SamlProvider {
  const checked = samlProviderSchema.safeParse(read, { reportInput: true });
  if (checked.success) return checked.data;
  const [mistake = { path: '', reason: say('reasons.wrong') }] = mistakesOf(checked.error.issues);
  throw refuse(saidOf({ ...mistake, path: mistake.path.split('.')[0] ?? '' }));
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
