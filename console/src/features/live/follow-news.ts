import { liveStream, newsSchema } from '@tyrian/contract';
import { CallError, request } from '../../lib/call.ts';
import { readEventStream } from '../../lib/read-event-stream.ts';
import { newsOf, takeNews } from './news-store.ts';

// Follows the stream of news while the tab is looked at. A hidden tab has none: a browser opens only a few connections to
// one server. Without a stream, because it broke, was refused or says nothing, the console asks as it did before.

/** Longer than two of the server's comments. */
const SILENT_MS = 40_000;
const AGAIN_MS = 30_000;

type Place = { readonly clusterId?: string; readonly scope_id?: string };

/** One stream until it ends, in whatever way; answers whether another may be opened later. */
async function followOne(
  of: string,
  userId: string,
  scope: Place,
  tellTold: (isTold: boolean) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onSign = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENT_MS);
  };
  try {
    onSign();
    const { cursor } = newsOf(of);
    const since = cursor === null || cursor === '0' ? {} : { since: cursor };
    const input = { ...scope, ...since };
    const response = await request(liveStream, { input, signal: AbortSignal.any([signal, silence.signal]) });
    if (!response.body) return false;
    for await (const { event, data } of readEventStream(response.body, onSign)) {
      if (signal.aborted || event === 'end') break;
      if (event !== 'news') continue;
      takeNews(of, newsSchema.parse(JSON.parse(data)), userId);
      tellTold(true);
    }
    return true;
  } catch (error) {
    // Not here, or not for this session: whoever asks in place of the stream hears why.
    return (
      !(error instanceof CallError) || error.kind === 'network' || error.status === 429 || error.status >= 500
    );
  } finally {
    clearTimeout(timer);
    if (!signal.aborted) tellTold(false);
  }
}

/** Follows the news of a place until the answer is called. `tellTold` hears whether a stream is open. */
export function followNews(
  of: string,
  userId: string,
  scope: Place,
  tellTold: (isTold: boolean) => void,
): () => void {
  let current: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const close = () => {
    clearTimeout(timer);
    current?.abort();
    current = null;
    tellTold(false);
  };
  const open = () => {
    if (current || document.hidden) return;
    const own = new AbortController();
    current = own;
    void followOne(of, userId, scope, tellTold, own.signal).then((mayAgain) => {
      if (own.signal.aborted) return;
      current = null;
      if (mayAgain) timer = setTimeout(open, AGAIN_MS);
    });
  };
  const look = () => (document.hidden ? close() : open());

  document.addEventListener('visibilitychange', look);
  open();
  return () => {
    document.removeEventListener('visibilitychange', look);
    close();
  };
}
