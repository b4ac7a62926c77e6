import { CONNECTOR_LIMITS, type HttpPollerConfig, say } from '@tyrian/contract';
import { ConnectorError } from './connector-error.ts';
import { type HttpAnswer, type HttpClient, httpClient } from './http-client.ts';
import {
  beginPoll,
  endPoll,
  type PageAt,
  type PollPosition,
  readPosition,
  takeNew,
  valueAt,
  writtenTime,
} from './http-poller-position.ts';
import { addressOf, type Variables } from './http-request.ts';
import type { Piece, PullCall, Puller, PullFrom } from './puller.ts';
import { recordsOf } from './record-texts.ts';

// A poller over HTTP: a poll asks for a range of time or what follows a cursor, page by page. What the next poll asks for
// again, since services show records late, is stored once.

type Call = PullCall<HttpPollerConfig>;

/** A page that leads on for ever ends a poll; the next turn goes on with it. */
const MOST_PAGES = 2_000;

export const httpPoller: Puller<HttpPollerConfig> = {
  check: async (call) => {
    await firstPage(call);
  },
  sample: async (call, most) => {
    const { records, asked } = await firstPage(call);
    return { records: records.slice(0, most), asked };
  },
  pull,
};

/** The first page of a poll from the beginning, without its followed addresses beyond the first. */
async function firstPage(call: Call) {
  const { config } = call;
  const client = httpClient(call);
  const position = beginPoll(readPosition(null), config, call.nowMs());
  const variables = variablesOf(config, position, undefined);
  const url = addressOf(config, variables);
  const answer = await client.get(url, variables);
  const listed = recordsOf(answer.text, config.format, config.records_path);
  const records = await followed(call, client, listed.slice(0, CONNECTOR_LIMITS.testRecords), 1);
  return { records, asked: `${config.method} ${url.href}` };
}

async function* pull(call: PullFrom<HttpPollerConfig>): AsyncGenerator<Piece, number> {
  const { config } = call;
  const client = httpClient(call);
  let position = beginPoll(readPosition(call.position), config, call.nowMs());
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const at = position.next;
    const variables = variablesOf(config, position, at);
    const url = addressOf(config, variables, at?.url);
    const answer = await client.get(url, variables);
    const listed = recordsOf(answer.text, config.format, config.records_path);
    const taken = takeNew(position, listed, config, call.nowMs());
    const next = nextPage(config, url, answer, listed.length, at);
    position = { ...taken.position, ...(next === null ? {} : { next }) };
    const isLast = next === null || isCaughtUp(config, listed.length);
    if (isLast) position = endPoll(withoutNext(position, next, config), config, call.nowMs());
    yield { records: await followed(call, client, taken.fresh), position };
    if (isLast) return isBehind(position, config, call.nowMs()) ? 0 : config.interval_s * 1_000;
  }
  return 0;
}

/** After the last page there is none to go on with, except where the last cursor is kept. */
function withoutNext(position: PollPosition, next: PageAt | null, config: HttpPollerConfig): PollPosition {
  if (next !== null || config.keep_cursor) return position;
  const { next: _ended, ...rest } = position;
  return rest;
}

/** A service that always gives a next address gives an empty page at the end. */
const isCaughtUp = (config: HttpPollerConfig, records: number): boolean =>
  config.keep_cursor && records === 0;

/** The range of the poll ended before now: there is more to ask for. */
const isBehind = ({ since }: PollPosition, config: HttpPollerConfig, nowMs: number): boolean =>
  config.window_h > 0 && typeof since === 'number' && since + config.window_h * 3_600_000 < nowMs;

function variablesOf(config: HttpPollerConfig, position: PollPosition, at: PageAt | undefined): Variables {
  const { since, until } = position;
  const written = (value: number) => writtenTime(value, config.time_format);
  return {
    ...(since === undefined ? {} : { since: typeof since === 'number' ? written(since) : since }),
    ...(until === undefined ? {} : { until: written(until) }),
    ...(at?.cursor === undefined ? {} : { cursor: at.cursor }),
    page: String((at?.page ?? 0) + 1),
    offset: String(at?.offset ?? 0),
    limit: String(config.page_size),
  };
}

/** Where the page after this one is; null when it was the last. Throws ConnectorError for one on another host. */
function nextPage(
  config: HttpPollerConfig,
  url: URL,
  answer: HttpAnswer,
  records: number,
  at: PageAt | undefined,
): PageAt | null {
  const page = (at?.page ?? 0) + 1;
  const offset = (at?.offset ?? 0) + records;
  switch (config.pagination) {
    case 'link-header':
      return linkedPage(nextLink(answer.headers.get('link')), url, page, offset);
    case 'next-link':
      return linkedPage(valueAt(answer.text, config.next_path), url, page, offset);
    case 'cursor': {
      const cursor = valueAt(answer.text, config.next_path);
      const isNew = cursor !== undefined && cursor !== '' && cursor !== 'false' && cursor !== at?.cursor;
      return isNew ? { cursor, page, offset } : null;
    }
    case 'page':
    case 'offset':
      return records < config.page_size ? null : { page, offset };
    default:
      return null;
  }
}

function linkedPage(link: string | undefined, from: URL, page: number, offset: number): PageAt | null {
  if (link === undefined || link === '' || !URL.canParse(link, from)) return null;
  const url = sameHost(link, from);
  return url.href === from.href ? null : { url: url.href, page, offset };
}

/** An address that a service gave: the proof of the connector goes there only when it is on the same host. */
function sameHost(link: string, from: URL): URL {
  const url = new URL(link, from);
  if (url.origin !== from.origin)
    throw new ConnectorError(say('connectors.otherHost', { host: url.host }), { isLasting: true });
  return url;
}

/** The address of `rel="next"` in a header Link (RFC 8288). */
function nextLink(header: string | null): string | undefined {
  for (const [, url = '', parameters = ''] of (header ?? '').matchAll(/<([^>]*)>((?:\s*;[^,<]*)*)/g))
    if (/;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?:\s[^"]*)?"?\s*(?:;|$)/i.test(parameters)) return url;
  return undefined;
}

/** The records behind the addresses that listed ones hold; these themselves where nothing is followed. */
async function followed(
  call: Call,
  client: HttpClient,
  listed: readonly string[],
  most = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const { config } = call;
  if (config.follow_path === '') return listed;
  const records: string[] = [];
  const base = new URL(config.url);
  for (const one of listed.slice(0, most)) {
    const link = valueAt(one, config.follow_path);
    if (link === undefined) continue;
    const answer = await client.get(sameHost(link, base), {}, true);
    records.push(...recordsOf(answer.text, 'json', ''));
  }
  return records;
}
