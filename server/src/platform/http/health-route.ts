import type { MessageValue } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';

export interface EngineHealth {
  readonly name: 'postgres' | 'clickhouse';
  readonly state: 'starting' | 'up' | 'down';
  /** How often it was started again since this process began. */
  readonly restarts: number;
  /** Why it went down last; what is not ours is text. */
  readonly lastError: MessageValue | null;
}

/**
 * `GET /health`: 200 when both engines are up, 503 otherwise. It needs no session and tells nothing more: version,
 * restarts and errors of the engines stand on the components of the platform, which root reads.
 */
export function healthRoute(app: FastifyInstance, engines: () => readonly EngineHealth[]): void {
  app.get('/health', (_request, reply) => {
    const up = engines().every((engine) => engine.state === 'up');
    return reply.code(up ? 200 : 503).send({ status: up ? 'up' : 'degraded' });
  });
}
