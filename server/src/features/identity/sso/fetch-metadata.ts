import { type ServerMessage, say, sayOfField } from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import type { Reached } from '../../../platform/outgoing/check-target.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing-connections.ts';
import { OutgoingError } from '../../../platform/outgoing/outgoing-error.ts';
import { requestOutgoing } from '../../../platform/outgoing/outgoing-http.ts';
import { isMetadata } from './saml-metadata.ts';

// The metadata document of a SAML provider, read where the provider publishes it. An administrator of an organization
// types the address, so nothing of what is there but a metadata document is ever told: not even that something is there.

const TIME_MS = 10_000;
const MAX_BYTES = 500_000;

const refuse = (why: ServerMessage) =>
  new AppError('bad-input', sayOfField('metadata_url', why), { field: 'metadata_url' });

/**
 * The metadata at the address. Throws AppError `bad-input` for an address of a wrong form, and OutgoingError when no
 * metadata could be read there, whatever the reason.
 */
export async function fetchMetadata(
  outgoing: Outgoing,
  address: string,
): Promise<{ readonly text: string; readonly reached: readonly Reached[] }> {
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') throw refuse(say('sso.withPassword'));
  if (url.search !== '' || url.hash !== '') {
    throw refuse(say('sso.downloadInstead'));
  }
  const { status, body, reached } = await requestOutgoing(outgoing, {
    url: url.href,
    headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
    redirects: 3,
    timeMs: TIME_MS,
    maxBytes: MAX_BYTES,
  });
  const at = reached.at(-1) ?? { host: url.hostname, port: 0 };
  if (status !== 200) throw new OutgoingError({ ...at, reason: `HTTP ${status}` });
  const text = Buffer.from(body).toString('utf8');
  if (!isMetadata(text)) throw new OutgoingError({ ...at, reason: 'what answers is no SAML metadata' });
  return { text, reached };
}
