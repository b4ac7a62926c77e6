// A decoding thread that content can end, for tests of what happens then: a body with `END-THREAD` ends it while records
// are read, one with `HANG-THREAD` keeps it busy for ever, one with `END-ALWAYS` ends it even as text.
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { decodeBatch } = await import('../decode-batch.ts');
parentPort.on('message', (job) => {
  const text = Buffer.from(job.body).toString();
  const isRead = !job.isTextOnly;
  const report = decodeBatch(job, (chunk) => {
    parentPort.postMessage({ id: job.id, kind: 'rows', chunk });
  });
  if (text.includes('END-ALWAYS') || (isRead && text.includes('END-THREAD'))) {
    // After its rows were handed on, which is the case that could store them twice.
    setImmediate(() => process.exit(7));
    return;
  }
  if (isRead && text.includes('HANG-THREAD')) for (;;);
  parentPort.postMessage({ id: job.id, kind: 'done', report, ms: 0 });
});
