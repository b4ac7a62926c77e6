import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const DIST = fileURLToPath(new URL('../../../../console/dist', import.meta.url));

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tyrian</title>
<h1>The console is not built</h1><p>Tyrian is running, but its console is not built yet.
Run <code>npm run build</code> in the checkout, then load this page again.</p></html>`;

/**
 * Serves the built console at `/`. Files of `assets/` carry their hash in the name and may be kept for ever;
 * the page itself is asked for anew each time, so that a new version is seen at once.
 */
export async function serveConsole(app: FastifyInstance, dist: string = DIST): Promise<void> {
  await app.register(fastifyStatic, {
    root: dist,
    index: false,
    cacheControl: false,
    setHeaders: (response, file) => {
      const hashed = path.basename(path.dirname(file)) === 'assets';
      response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.get('/', (_request, reply) => {
    if (!existsSync(path.join(dist, 'index.html'))) {
      return reply
        .code(503)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(NOT_BUILT);
    }
    return reply.sendFile('index.html');
  });
}
