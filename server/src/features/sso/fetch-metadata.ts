import { AppError } from '../../platform/app-error.ts';
import { isLocal } from './oidc-flow.ts';

// The metadata document of a SAML provider, read where the provider publishes it. An administrator of an organization
// types the address, so nothing of what is there but a metadata document is ever told.

const TIMEOUT_MS = 10_000;
const LARGEST = 500_000;

const refuse = (why: string) => new AppError('bad-input', `metadata_url: ${why}`, { field: 'metadata_url' });

/** The text at the address. Throws AppError `bad-input` that says what is wrong. */
export async function fetchMetadata(address: string): Promise<string> {
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') throw refuse('must not carry a password');
  if (url.protocol === 'http:' && !isLocal(url)) throw refuse('must be an https address');
  let text: string;
  try {
    // A redirect could lead to an address that nobody has typed.
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    text = await readLimited(answer);
  } catch (error) {
    const why = error instanceof Error && /^(HTTP \d+|too large)$/.test(error.message) ? error.message : '';
    throw refuse(`no metadata could be read there${why && `: ${why}`}`);
  }
  return text;
}

async function readLimited(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.byteLength;
    if (size > LARGEST) throw new Error('too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
