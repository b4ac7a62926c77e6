import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

// A page for people that shows /openapi.json and tries its calls: Swagger UI, served from its package.

const HOME = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tyrian: calls</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="reference/swagger-ui.css">
</head>
<body>
<main id="calls"></main>
<script src="reference/swagger-ui-bundle.js"></script>
<script src="reference/open.js"></script>
</body>
</html>
`;

// The theme follows the system, as the console's theme is kept where only the console reads it.
const OPEN = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#calls',
  deepLinking: true,
  filter: true,
  docExpansion: 'none',
  operationsSorter: 'alpha',
  tagsSorter: 'alpha',
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
`;

const FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const;

/** `GET /reference`: the browsable reference of the calls that this server answers. */
export function apiReferenceRoute(app: FastifyInstance): void {
  app.get('/reference', (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
  app.get('/reference/open.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(OPEN));
  for (const [file, type] of Object.entries(FILES)) {
    let text: Buffer | undefined;
    app.get(`/reference/${file}`, (_request, reply) => {
      text ??= readFileSync(path.join(HOME, file));
      return reply.type(type).header('cache-control', 'public, max-age=3600').send(text);
    });
  }
}
