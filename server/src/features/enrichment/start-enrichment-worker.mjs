import { beginThread } from '../../platform/begin-thread.mjs';

beginThread();
await import('./enrichment-worker.ts');
