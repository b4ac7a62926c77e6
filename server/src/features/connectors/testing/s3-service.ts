import { createHash } from 'node:crypto';
import aws4 from 'aws4';
import { type LogRequest, type LogService, startLogService } from './log-service.ts';

// A bucket that speaks as S3 does, of our own: it lists by prefix and name, page by page, gives objects, and takes only
// requests whose signature is right.

const ACCESS_KEY = 'AKIDEXAMPLE';
export const BUCKET_SECRET = 'wJalrXUtnFEMI-bucket-secret';
export const BUCKET_KEYS = { access_key: ACCESS_KEY, bucket: 'logs', region: 'eu-central-1' } as const;

export interface BucketService extends Pick<LogService, 'origin' | 'asked' | 'close'> {
  put(key: string, body: string | Buffer, modifiedMs: number): void;
}

interface Stored {
  readonly body: Buffer;
  readonly modified: number;
}

/** Whether the signature of a request is the one that the secret makes. */
function isSigned({ url, headers }: LogRequest): boolean {
  const given = /Credential=([^/]+)\/.*SignedHeaders=([^,]+), *Signature=(\w+)/.exec(
    headers.authorization ?? '',
  );
  const signed = given?.[2]?.split(';') ?? [];
  const again = aws4.sign(
    {
      ...{
        host: headers.host ?? '',
        path: url.pathname + url.search,
        service: 's3',
        region: BUCKET_KEYS.region,
      },
      headers: Object.fromEntries(
        signed.filter((name) => name !== 'host').map((name) => [name, String(headers[name] ?? '')]),
      ),
    },
    { accessKeyId: ACCESS_KEY, secretAccessKey: BUCKET_SECRET },
  );
  return given?.[1] === ACCESS_KEY && String(again.headers?.Authorization).endsWith(`Signature=${given[3]}`);
}

const error = (status: number, code: string) => ({
  status,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`,
});

function listing(objects: ReadonlyMap<string, Stored>, query: URLSearchParams, most: number): string {
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const all = [...objects.keys()]
    .filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort();
  const page = all.slice(0, Math.min(most, Number(query.get('max-keys'))));
  const contents = page.map((key) => {
    const { body, modified } = objects.get(key) as Stored;
    const etag = createHash('md5').update(body).digest('hex');
    return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${new Date(modified).toISOString()}</LastModified>
      <ETag>&quot;${etag}&quot;</ETag><Size>${body.length}</Size></Contents>`;
  });
  const isCut = page.length < all.length;
  const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${isCut}</IsTruncated>
    ${next}${contents.join('')}</ListBucketResult>`;
}

/** Pages of a listing have at most so many objects. */
export async function startBucketService(most = 2): Promise<BucketService> {
  const service = await startLogService();
  const objects = new Map<string, Stored>();
  service.answer((request) => {
    if (!isSigned(request)) return error(403, 'SignatureDoesNotMatch');
    const { pathname, searchParams } = request.url;
    if (pathname === `/${BUCKET_KEYS.bucket}/`) return { body: listing(objects, searchParams, most) };
    const object = objects.get(decodeURIComponent(pathname.slice(BUCKET_KEYS.bucket.length + 2)));
    return object === undefined ? error(404, 'NoSuchKey') : { body: object.body };
  });
  const { origin, asked, close } = service;
  return {
    ...{ origin, asked, close },
    put: (key, body, modified) => {
      objects.set(key, { body: Buffer.from(body), modified });
    },
  };
}
