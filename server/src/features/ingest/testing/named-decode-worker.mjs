// A decoding thread that reads nothing: after a quarter of a second it tells its number and its priority, and says that the
// body took ten seconds.
import { readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { parentPort, threadId } from 'node:worker_threads';

const TAKES_MS = 250;
const isLinux = process.platform === 'linux';

parentPort.on('message', ({ id }) => {
  setTimeout(() => {
    const message = JSON.stringify({ thread: threadId, priority: isLinux ? getPriority(0) : 0 });
    parentPort.postMessage({ id, ms: 10_000, kind: 'fault', fault: { fault: 'undecodable', message } });
  }, TAKES_MS);
});
parentPort.postMessage({ kind: 'ready', task: isLinux ? readlinkSync('/proc/thread-self') : '' });
