import { beginThread } from '../../../platform/begin-thread.mjs';

beginThread();
await import('./parse-worker.ts');
