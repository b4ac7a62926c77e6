import { liveStream } from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followNews } from './follow-news.ts';
import { forgetNews, readNews } from './news-store.ts';

const news = (cursor: string, signal_ids: string[] = []) =>
  `id: ${cursor}\nevent: news\ndata: ${JSON.stringify({ cursor, unread: 2, newest: 5, signal_ids, case_changes: [], has_more: false })}\n\n`;

let pieces: ReadableStreamDefaultController<Uint8Array>;
let asked: string[];
let answer: () => Response;
let told: boolean[];
let stop: () => void = () => undefined;
const say = (text: string) => pieces.enqueue(new TextEncoder().encode(text));
const hide = (isHidden: boolean) => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  document.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => {
  vi.useFakeTimers();
  forgetNews();
  asked = [];
  told = [];
  answer = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          pieces = controller;
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push(url);
    const response = answer();
    init.signal?.addEventListener('abort', () => pieces.error(new DOMException('gone', 'AbortError')));
    return response;
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const follow = () => {
  stop = followNews('u1 c1 s1', 'u1', { clusterId: 'c1', scope_id: 's1' }, (isTold) => told.push(isTold));
};
const settle = () => vi.advanceTimersByTimeAsync(1);

describe('the stream of news', () => {
  it('[R-C18] takes in what it is told, in pieces that break anywhere, and says that asking is not needed', async () => {
    follow();
    await settle();
    const text = `: beat\n\n${news('7', ['s1'])}`;
    say(text.slice(0, 20));
    await settle();
    expect(told).toEqual([]);
    say(text.slice(20));
    await settle();
    expect([readNews().signalIds, readNews().unread, readNews().cursor]).toEqual([['s1'], 2, '7']);
    expect(told.at(-1)).toBe(true);
    expect(asked[0]).toBe(`${liveStream.path}?clusterId=c1&scope_id=s1`);
  });

  it('falls back to asking when it breaks, and opens again later from where it ended', async () => {
    follow();
    await settle();
    say(news('7'));
    await settle();
    pieces.error(new TypeError('network'));
    await settle();
    expect(told.at(-1)).toBe(false);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(asked[1]).toContain('since=7');
  });

  it('falls back when it goes silent, as behind a proxy that keeps what passes', async () => {
    follow();
    await settle();
    say(news('7'));
    await vi.advanceTimersByTimeAsync(39_000);
    expect(told.at(-1)).toBe(true);
    say(': beat\n\n');
    await vi.advanceTimersByTimeAsync(39_000);
    expect(told.at(-1)).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(told.at(-1)).toBe(false);
  });

  it('a server without a stream is not asked for one again', async () => {
    answer = () =>
      new Response(JSON.stringify({ status: 'failed', message: 'no', data: null }), {
        status: 404,
        headers: { 'content-type': 'application/json' },
      });
    follow();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked).toHaveLength(1);
    expect(told.at(-1)).toBe(false);
  });

  it('a hidden tab has no stream, one that is looked at again has', async () => {
    follow();
    await settle();
    say(news('7'));
    await settle();
    hide(true);
    await settle();
    expect(told.at(-1)).toBe(false);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked).toHaveLength(1);
    hide(false);
    await settle();
    expect(asked).toHaveLength(2);
  });
});
