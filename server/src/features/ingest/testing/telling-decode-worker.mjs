import { parentPort } from 'node:worker_threads';

// A decoding thread that reads nothing: it tells whether it was asked to give way, and says that it took ten seconds.

parentPort?.on('message', ({ id, givesWay }) =>
  parentPort.postMessage({
    id,
    ms: 10_000,
    kind: 'fault',
    fault: { fault: 'undecodable', message: String(givesWay) },
  }),
);
