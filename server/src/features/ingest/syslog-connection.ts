import type net from 'node:net';
import { SyslogStream } from '@tyrian/ingest';
import type { SourceService } from '../sources/source-service.ts';
import type { SenderLimits } from './sender-limits.ts';
import type { SyslogQueues } from './syslog-queues.ts';
import type { SyslogSender, SyslogSenders } from './syslog-senders.ts';

// One connection of syslog. It is read as fast as rows become durable, and as long as it brings messages that belong to
// a source.

/** What a connection that has not yet proved itself may send of its first message. */
const FIRST_MESSAGE_BYTES = 64 * 1024;
/** How long it may take with it. */
const FIRST_MESSAGE_MS = 20_000;

export interface SyslogConnectionDeps {
  readonly senders: SyslogSenders;
  readonly sources: SourceService;
  readonly queues: SyslogQueues;
  readonly limits: SenderLimits;
  /** Bytes of unfinished messages of all connections; counted here. */
  readonly unfinished: { bytes: number };
}

/** Reads a connection until it ends. */
export function readSyslogConnection(
  socket: net.Socket,
  sender: SyslogSender,
  { senders, sources, queues, limits, unfinished }: SyslogConnectionDeps,
): void {
  const stream = new SyslogStream();
  let isKnown = false;
  let pending = 0;
  const countPending = (): void => {
    unfinished.bytes += stream.pendingBytes - pending;
    pending = stream.pendingBytes;
  };
  const refuse = (reason: string): void => {
    sources.refuse(reason, sender.address);
    socket.destroy();
  };

  const deliver = async (messages: ReturnType<SyslogStream['push']>): Promise<void> => {
    const routed = await senders.route(sender, messages);
    for (const { source, message } of routed) queues.add(source, sender.address, message);
    if (routed.length > 0) isKnown = true;
    else if (!isKnown && messages.length > 0) socket.destroy();
    if (isKnown) socket.setTimeout(limits.syslogIdleMs);
    for (const { source } of routed) {
      if (queues.isFull(source, sender.address)) await queues.waitForSpace(source, sender.address);
    }
  };
  const failed = () => refuse('syslog-sender-not-looked-up');

  socket.on('data', (chunk: Buffer) => {
    const messages = stream.push(chunk);
    countPending();
    if (!isKnown && messages.length === 0 && pending > FIRST_MESSAGE_BYTES)
      refuse('syslog-first-message-too-long');
    else if (unfinished.bytes > limits.syslogUnfinishedBytes && pending > 0)
      refuse('syslog-too-much-unfinished');
    if (messages.length === 0 || socket.destroyed) return;
    socket.pause();
    deliver(messages).then(() => socket.resume(), failed);
  });
  socket.on('end', () => {
    const rest = stream.end();
    countPending();
    deliver(rest).catch(failed);
  });
  socket.on('close', () => {
    stream.end();
    countPending();
  });
  socket.on('timeout', () => {
    // A connection that waits for the store is not idle.
    if (socket.isPaused()) return;
    deliver(stream.end())
      .catch(() => undefined)
      .finally(() => socket.destroy());
    countPending();
  });
  socket.setKeepAlive(true, 60_000);
  socket.setTimeout(Math.min(FIRST_MESSAGE_MS, limits.syslogIdleMs));
  socket.pause();
  senders.knows(sender).then((known) => {
    isKnown = known;
    if (known) socket.setTimeout(limits.syslogIdleMs);
    socket.resume();
  }, failed);
}
