import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as samlify from 'samlify';
import { selfSigned } from '../signing-key.ts';

// A SAML 2.0 identity provider on this machine, on samlify: it checks our signed requests against our metadata and
// answers with a signed assertion for whoever types an address into its page.

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

samlify.setSchemaValidator({ validate: async () => 'not checked against the schema' });

export interface SamlIdp {
  readonly entityId: string;
  readonly metadata: string;
  /** Answers the request of a sign-in address, base64 as the browser posts it. */
  answer(signInAddress: string, email: string, serviceMetadata: string): Promise<string>;
  /** The same answer with its assertion changed and signed anew by the provider's own key. */
  bend(encoded: string, change: (xml: string) => string, signature?: string): string;
  /** The address of ours to which the browser brings a signed logout request for somebody. */
  logoutAddress(sloUrl: string, nameId: string): string;
  close(): Promise<void>;
}

function makeKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { pem, certificate: selfSigned(createPrivateKey(pem), createPublicKey(pem), 'Test provider') };
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'));
}

const escapeHtml = (text: string) => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const page = (body: string) =>
  `<!doctype html><html lang="en"><title>Test provider</title><main><h1>Test provider</h1>${body}</main></html>`;

/** Starts a provider; `serviceMetadata` gives ours when a browser comes. */
export async function startSamlIdp(serviceMetadata: () => Promise<string>): Promise<SamlIdp> {
  const { pem, certificate } = makeKey();
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entityId = `${base}/entity`;
  const idp = samlify.IdentityProvider({
    entityID: entityId,
    privateKey: pem,
    signingCert: certificate,
    isAssertionEncrypted: false,
    wantAuthnRequestsSigned: true,
    requestSignatureAlgorithm: RSA_SHA256,
    nameIDFormat: [EMAIL],
    singleSignOnService: [{ Binding: REDIRECT, Location: `${base}/sso` }],
    singleLogoutService: [{ Binding: REDIRECT, Location: `${base}/logout` }],
  });

  async function answer(signInAddress: string, email: string, metadata: string): Promise<string> {
    const url = new URL(signInAddress);
    const octetString = url.search
      .slice(1)
      .split('&')
      .filter((part) => !part.startsWith('Signature='))
      .join('&');
    const sp = samlify.ServiceProvider({ metadata });
    const query = Object.fromEntries(url.searchParams);
    const asked = await idp.parseLoginRequest(sp, 'redirect', { query, octetString });
    const made = await idp.createLoginResponse(sp, { extract: asked.extract }, 'post', { email });
    return made.context;
  }

  function bend(encoded: string, change: (xml: string) => string, signatureAlgorithm = RSA_SHA256): string {
    const xml = Buffer.from(encoded, 'base64').toString('utf8');
    const rawSamlMessage = change(xml.replace(/<ds:Signature[\s\S]*?<\/ds:Signature>/g, ''));
    const parent = "/*[local-name(.)='Response']/*[local-name(.)='Assertion']";
    const signed = samlify.SamlLib.constructSAMLSignature({
      rawSamlMessage,
      referenceTagXPath: parent,
      privateKey: pem,
      signatureAlgorithm,
      signingCert: certificate.replace(/-----[^-]+-----|\s+/g, ''),
      isBase64Output: false,
      signatureConfig: {
        prefix: 'ds',
        location: { reference: `${parent}/*[local-name(.)='Issuer']`, action: 'after' },
      },
    });
    return Buffer.from(signed).toString('base64');
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (body: string) => response.writeHead(200, { 'content-type': 'text/html' }).end(page(body));
    const url = new URL(request.url ?? '/', base);
    if (url.pathname === '/logout') {
      send('<p>Signed out of the test provider</p>');
      return;
    }
    if (url.pathname === '/metadata') {
      response.writeHead(200, { 'content-type': 'application/samlmetadata+xml' }).end(idp.getMetadata());
      return;
    }
    if (url.pathname === '/nothing') {
      response.writeHead(404).end();
      return;
    }
    if (request.method === 'GET') {
      const back = escapeHtml(`${url.pathname}${url.search}`);
      send(
        `<form method="post" action="${back}"><label>Address <input name="email"></label><button>Go on</button></form>`,
      );
      return;
    }
    const email = (await bodyOf(request)).get('email') ?? '';
    const metadata = await serviceMetadata();
    const encoded = await answer(url.href, email, metadata);
    const acs = /AssertionConsumerService[^>]+Location="([^"]+)"/.exec(metadata)?.[1] ?? '';
    send(
      `<form method="post" action="${acs}"><input type="hidden" name="SAMLResponse" value="${encoded}"><button>Continue</button></form>`,
    );
  }

  function logoutAddress(sloUrl: string, nameId: string): string {
    const now = new Date();
    const xml = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_logout${now.getTime()}" Version="2.0" IssueInstant="${now.toISOString()}" Destination="${sloUrl}"><saml:Issuer>${entityId}</saml:Issuer><saml:NameID Format="${EMAIL}">${nameId}</saml:NameID></samlp:LogoutRequest>`;
    const request = encodeURIComponent(samlify.Utility.base64Encode(samlify.Utility.deflateString(xml)));
    const algorithm = encodeURIComponent(RSA_SHA256);
    const signed = `SAMLRequest=${request}&SigAlg=${algorithm}`;
    const signature = sign('sha256', Buffer.from(signed), pem).toString('base64');
    return `${sloUrl}?${signed}&Signature=${encodeURIComponent(signature)}`;
  }

  return {
    entityId,
    metadata: idp.getMetadata(),
    answer,
    bend,
    logoutAddress,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
