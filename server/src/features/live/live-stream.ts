import { setTimeout as pause } from 'node:timers/promises';
import { liveStream } from '@tyrian/contract';
import type { Authorizer, Caller } from '../../platform/http/caller.ts';
import type { LiveService } from './live-service.ts';
import type { StreamSlot } from './stream-slots.ts';

// One stream of news: looks when something happened and every 15 seconds, each time with the rights of that moment.

type Asked = Parameters<LiveService['news']>[1];
type News = Awaited<ReturnType<LiveService['news']>>;

/** Also the comment that keeps proxies from closing a quiet stream. */
const BEAT_MS = 15_000;
/** Between two looks, however much happens. */
const REST_MS = 1_000;

export interface LiveStreamDeps {
  readonly authorizer: Authorizer;
  readonly news: LiveService['news'];
  readonly heartbeatMs?: number;
}

const isNews = (news: News, before: News | null): boolean =>
  before === null ||
  news.unread !== before.unread ||
  news.newest !== before.newest ||
  news.has_more ||
  news.signal_ids.length > 0 ||
  news.case_changes.length > 0;

/** The session as it is now; null when it is over, or no longer for this call. */
async function callerNow(authorizer: Authorizer, ssid: string): Promise<Caller | null> {
  const caller = await authorizer.authenticate(ssid, { isPassive: true });
  if (!caller) return null;
  try {
    await authorizer.authorize(caller, liveStream.access, { clusterId: undefined, scopeIds: [] });
    return caller;
  } catch {
    return null;
  }
}

/** The text of the stream, event by event, until the session or the reader has gone. */
export async function* liveEvents(
  deps: LiveStreamDeps,
  ssid: string,
  asked: Asked,
  slot: StreamSlot,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let since = asked.since;
  let before: News | null = null;
  try {
    while (!signal.aborted) {
      const caller = await callerNow(deps.authorizer, ssid);
      if (!caller) {
        yield 'event: end\ndata: {}\n\n';
        return;
      }
      const news = await deps.news(caller, { ...asked, since });
      since = news.cursor === '0' ? undefined : news.cursor;
      yield isNews(news, before)
        ? `id: ${news.cursor}\nevent: news\ndata: ${JSON.stringify(news)}\n\n`
        : ': beat\n\n';
      before = news;
      await pause(REST_MS, undefined, { signal }).catch(() => undefined);
      await slot.wait((deps.heartbeatMs ?? BEAT_MS) - REST_MS);
    }
  } finally {
    slot.release();
  }
}
