// Server-sent events out of a response that was fetched: the browser's own EventSource cannot name the session in a header.

export interface ServerEvent {
  /** `message` when the server gave none. */
  readonly event: string;
  readonly data: string;
}

/** The events of a stream as they come; ends when the stream ends. `onSign` is called with every piece, comments too. */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  onSign: () => void = () => undefined,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onSign();
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** A block of lines; null when it holds comments only. */
function eventOf(block: string): ServerEvent | null {
  const lines = block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line));
  const of = (name: string) => lines.filter((line) => line?.[1] === name).map((line) => line?.[2] ?? '');
  const data = of('data');
  return data.length === 0 ? null : { event: of('event').at(-1) ?? 'message', data: data.join('\n') };
}
