import type { FastifyInstance } from 'fastify';

export interface EngineHealth {
  readonly name: 'postgres' | 'clickhouse';
  readonly state: 'starting' | 'up' | 'down';
  /** How often it was started again since this process began. */
  readonly restarts: number;
  readonly lastError: string | null;
}

/** `GET /health`: 200 when both engines are up, 503 otherwise; the same body in both cases. No secrets, no session. */
export function healthRoute(
  app: FastifyInstance,
  version: string,
  engines: () => readonly EngineHealth[],
): void {
  app.get('/health', (_request, reply) => {
    const list = engines();
    const up = list.every((engine) => engine.state === 'up');
    return reply
      .code(up ? 200 : 503)
      .send({ status: up ? 'up' : 'degraded', version, process_id: process.pid, engines: list });
  });
}
