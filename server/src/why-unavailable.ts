import { type ServerMessage, say } from '@tyrian/contract';
import type { EngineHealth } from './platform/http/health-route.ts';

/**
 * Why no call can be served right now, in words for the caller; null when calls can be. Every call needs PostgreSQL
 * (sessions, rights); one that needs the event store too says so itself when that does not answer, so that signing in
 * and administration go on without it.
 */
export function whyUnavailable(engines: readonly EngineHealth[]): ServerMessage | null {
  if (engines.every((engine) => engine.name !== 'postgres' || engine.state === 'up')) return null;
  return say('engines.recordsDown');
}
