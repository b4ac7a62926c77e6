import { type S3Config, say } from '@tyrian/contract';
import { sign } from 'aws4';
import { requestOutgoing } from '../../platform/outgoing/outgoing-http.ts';
import { ConnectorError, excerptOf } from './connector-error.ts';
import { assertAnswered } from './http-client.ts';
import type { PullCall } from './puller.ts';

// Buckets of Amazon S3 and of what speaks like it: signed requests (SigV4), pages of a listing, whole objects.

const LIST_MS = 30_000;
const GET_MS = 120_000;
const MOST_LIST_BYTES = 8 * 1024 * 1024;
/** Larger objects are passed over. */
export const MOST_OBJECT_BYTES = 64 * 1024 * 1024;

export interface BucketObject {
  readonly key: string;
  readonly etag: string;
  readonly size: number;
  /** Epoch milliseconds. */
  readonly modified: number;
}

export interface BucketPage {
  readonly objects: readonly BucketObject[];
  /** For the next page; null after the last. */
  readonly next: string | null;
}

type Call = PullCall<S3Config>;

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** Host and path of a bucket. */
function placeOf({ endpoint, bucket, path_style: isPath }: S3Config): {
  readonly origin: string;
  readonly path: string;
} {
  const url = new URL(endpoint);
  if (isPath) return { origin: url.origin, path: `/${bucket}/` };
  return { origin: `${url.protocol}//${bucket}.${url.host}`, path: '/' };
}

async function ask(call: Call, path: string, limits: { readonly timeMs: number; readonly maxBytes: number }) {
  const { config, secrets, outgoing, signal } = call;
  const { origin } = placeOf(config);
  const url = new URL(origin + path);
  const { headers = {} } = sign(
    { host: url.host, path, service: 's3', region: config.region, method: 'GET' },
    { accessKeyId: config.access_key, secretAccessKey: secrets.secret_key ?? '' },
  );
  const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const answer = await requestOutgoing(outgoing, {
    url: origin + path,
    headers: Object.fromEntries(sent.filter(([name]) => name !== 'host')),
    ...limits,
    signal,
  });
  const isText = answer.status >= 300;
  const text = isText ? new TextDecoder().decode(answer.body.subarray(0, 10_000)) : '';
  assertAnswered(answer.status, answer.headers, saidInXml(text), call.nowMs());
  return answer.body;
}

/** Code and message of an error of S3; the text where it is none. */
function saidInXml(text: string): string {
  const code = /<Code>([^<]*)<\/Code>/.exec(text)?.[1];
  const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1];
  return code === undefined ? text : `${code}: ${message ?? ''}`;
}

/** A page of the objects below the prefix, by name: behind `after`, or going on with `token`. */
export async function listObjects(
  call: Call,
  from: { readonly after?: string | undefined; readonly token?: string | undefined; readonly most?: number },
): Promise<BucketPage> {
  const { config } = call;
  const query: readonly (readonly [string, string])[] = [
    ...(from.token === undefined ? [] : [['continuation-token', from.token] as const]),
    ['encoding-type', 'url'],
    ['list-type', '2'],
    ['max-keys', String(from.most ?? 1_000)],
    ...(config.prefix === '' ? [] : [['prefix', config.prefix] as const]),
    ...(from.after === undefined || from.token !== undefined ? [] : [['start-after', from.after] as const]),
  ];
  const search = query.map(([name, value]) => `${name}=${encoded(value)}`).join('&');
  const body = await ask(call, `${placeOf(config).path}?${search}`, {
    timeMs: LIST_MS,
    maxBytes: MOST_LIST_BYTES,
  });
  return readListing(new TextDecoder().decode(body));
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  '#34': '"',
  '#39': "'",
};

function textIn(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found?.replace(/&(#?\w+);/g, (all, entity: string) => ENTITIES[entity] ?? all);
}

function keyIn(xml: string, isEncoded: boolean): string {
  const written = textIn(xml, 'Key') ?? '';
  if (!isEncoded) return written;
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    return written;
  }
}

/** The answer of ListObjectsV2. Throws ConnectorError for something else. */
function readListing(xml: string): BucketPage {
  if (!xml.includes('<ListBucketResult'))
    throw new ConnectorError(say('connectors.noListing', { answer: excerptOf(xml) }), { isLasting: true });
  const isEncoded = textIn(xml, 'EncodingType') === 'url';
  const objects = [...xml.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)].map(([, one = '']) => ({
    key: keyIn(one, isEncoded),
    etag: textIn(one, 'ETag') ?? '',
    size: Number(textIn(one, 'Size') ?? 0),
    modified: Date.parse(textIn(one, 'LastModified') ?? '') || 0,
  }));
  const next = textIn(xml, 'IsTruncated') === 'true' ? textIn(xml, 'NextContinuationToken') : undefined;
  return { objects, next: next ?? null };
}

/** A whole object. */
export function readObject(call: Call, key: string): Promise<Uint8Array> {
  const path = placeOf(call.config).path + key.split('/').map(encoded).join('/');
  return ask(call, path, { timeMs: GET_MS, maxBytes: MOST_OBJECT_BYTES });
}
