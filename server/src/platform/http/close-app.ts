import type { FastifyInstance } from 'fastify';

/**
 * Stops listening, lets calls in flight finish for `patienceMs`, then cuts what is left (streams, long polls).
 */
export async function closeApp(app: FastifyInstance, patienceMs = 1_000): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), patienceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}
