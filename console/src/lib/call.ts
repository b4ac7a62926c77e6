import {
  type CodedText,
  type Endpoint,
  type Envelope,
  type InputOf,
  MESSAGES,
  type OutputOf,
} from '@tyrian/contract';
import { tellContact } from './server-contact.ts';

// The one way to the server: an endpoint value, its path parameters and its input become a request; the
// envelope becomes data or a CallError. What a refusal means for the session stands in section 8 of the specification.

export type CallErrorKind =
  | 'invalid-session'
  | 'not-authorised'
  | 'agreements-due'
  | 'failed'
  | 'network'
  | 'aborted';

/**
 * A call that did not succeed. `message` is the server's in English, or empty when it gave none; what is shown to
 * people is `serverText` of the error.
 */
export class CallError extends Error implements CodedText {
  readonly kind: CallErrorKind;
  /** HTTP status, 0 when there was no answer. */
  readonly status: number;
  readonly requestId: string | null;
  readonly details: unknown;
  readonly messageCode: string | undefined;
  readonly messageValues: CodedText['messageValues'];

  constructor(
    kind: CallErrorKind,
    said: string | CodedText,
    status: number,
    requestId: string | null,
    details?: unknown,
  ) {
    const coded = typeof said === 'string' ? { message: said } : said;
    super(coded.message);
    this.name = 'CallError';
    this.messageCode = coded.messageCode;
    this.messageValues = coded.messageValues;
    this.kind = kind;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
  }
}

export interface CallOptions<E extends Endpoint> {
  /** Path parameters, e.g. `{ clusterId }`. */
  readonly params?: Readonly<Record<string, string>>;
  readonly input?: InputOf<E>;
  /** A form with a file, in place of `input`. */
  readonly form?: FormData;
  readonly signal?: AbortSignal;
  /** Part of leaving or refreshing a session: a refusal does not start either again. */
  readonly sessionFlow?: boolean;
}

interface CallHooks {
  readonly ssid: () => string | null;
  /** The session is gone. */
  readonly onInvalid: () => void;
  /** The caller lacks a right: rights may have changed since they were read. */
  readonly onNotAuthorised: () => void;
  /** Licence agreement or privacy policy have to be accepted before anything else. */
  readonly onAgreementsDue: () => void;
}

let hooks: CallHooks = {
  ssid: () => null,
  onInvalid: () => undefined,
  onNotAuthorised: () => undefined,
  onAgreementsDue: () => undefined,
};

/** Tells the client where the session is and what to do when it ends. Called once at start. */
export function configureCalls(next: CallHooks): void {
  hooks = next;
}

/** Calls an endpoint that answers JSON: the `data` of an envelope, or the whole of a flat answer. */
export async function call<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<OutputOf<E>> {
  const response = await request(endpoint, options);
  const body = await readJson(response);
  if (endpoint.answer === 'flat') return body as OutputOf<E>;
  return (body as Envelope<OutputOf<E>>).data;
}

/** Calls an endpoint that answers a file. */
export async function callForFile<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<{ readonly blob: Blob; readonly fileName: string | null }> {
  const response = await request(endpoint, options);
  const disposition = response.headers.get('content-disposition') ?? '';
  const fileName = /filename="?([^";]+)"?/.exec(disposition)?.[1] ?? null;
  return { blob: await response.blob(), fileName };
}

/** Sends the request and refuses what is not a success; the body of a success is still unread. */
export async function request<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<Response> {
  const response = await send(endpoint, options);
  const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
  if (response.ok && !isJson) return response;
  const copy = response.clone();
  const body = isJson ? ((await readJson(copy)) as Partial<Envelope<unknown>>) : {};
  const refused = response.ok ? endpoint.answer === 'envelope' && body.status !== 'success' : true;
  if (refused) throw refusal(response, body, options.sessionFlow ?? false);
  return response;
}

async function send<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<Response> {
  const { url, body } = address(endpoint, options);
  const ssid = hooks.ssid();
  const headers: Record<string, string> = { accept: 'application/json, */*' };
  // The browser names the type of a form itself, with the mark that parts it.
  if (body !== undefined && !options.form) headers['content-type'] = 'application/json';
  if (ssid) headers.SSID = ssid;
  try {
    const sent = options.form ?? body;
    const response = await fetch(url, {
      ...{ method: endpoint.method, headers, body: sent },
      signal: options.signal,
    });
    tellContact(true);
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw new CallError('aborted', '', 0, null);
    tellContact(false);
    throw new CallError('network', error instanceof Error ? '' : String(error), 0, null);
  }
}

/** Path with its parameters filled in, query of a GET or DELETE, JSON body of a POST or PUT. */
export function address<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E>,
): { readonly url: string; readonly body: string | undefined } {
  const path = endpoint.path.replace(/:([A-Za-z_]+)/g, (_, name: string) => {
    const value = options.params?.[name];
    if (value === undefined || value === '')
      throw new Error(`${endpoint.name}: path parameter ${name} is missing`);
    return encodeURIComponent(value);
  });
  if (endpoint.method === 'POST' || endpoint.method === 'PUT') {
    return { url: path, body: JSON.stringify(options.input ?? {}) };
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((options.input ?? {}) as Record<string, unknown>)) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
  }
  const text = query.toString();
  return { url: text ? `${path}?${text}` : path, body: undefined };
}

function refusal(response: Response, body: Partial<Envelope<unknown>>, sessionFlow: boolean): CallError {
  const message = typeof body.message === 'string' ? body.message : '';
  const requestId = response.headers.get('x-request-id');
  const { messageCode, messageValues } = body;
  const said = { message, messageCode, messageValues };
  const make = (kind: CallErrorKind) => new CallError(kind, said, response.status, requestId, body.data);
  if (isSessionEnd(body)) {
    if (!sessionFlow) hooks.onInvalid();
    return make('invalid-session');
  }
  if (body.code === 'not-authorised') {
    if (!sessionFlow) hooks.onNotAuthorised();
    return make('not-authorised');
  }
  if (body.code === 'agreements-due') {
    if (!sessionFlow) hooks.onAgreementsDue();
    return make('agreements-due');
  }
  return make('failed');
}

/** Whether an answer says that the session is gone. */
function isSessionEnd(body: Partial<Envelope<unknown>>): boolean {
  if (body.status === 'invalid' || body.code === 'invalid-session') return true;
  const said: readonly string[] = [MESSAGES.userInvalid, MESSAGES.invalidSession];
  return body.status === 'error' && typeof body.message === 'string' && said.includes(body.message);
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new CallError('network', '', response.status, response.headers.get('x-request-id'));
  }
}
