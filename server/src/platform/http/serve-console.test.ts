import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { createHttpApp } from './create-http-app.ts';
import { healthRoute } from './health-route.ts';
import { serveConsole } from './serve-console.ts';

describe('the console over HTTP', () => {
  let dist: string;
  let app: FastifyInstance;
  beforeEach(async () => {
    dist = mkdtempSync(path.join(tmpdir(), 'tyrian-dist-'));
    app = await createHttpApp({
      log: createLog('silent'),
      authorizer: { authenticate: async () => null, authorize: async () => undefined },
      trail: { refused: async () => undefined, forgotten: async () => undefined },
      whyUnavailable: () => null,
      checkOutput: true,
    });
    healthRoute(app, () => [{ name: 'postgres', state: 'down', restarts: 1, lastError: null }]);
    await serveConsole(app, dist);
  });
  afterEach(async () => {
    await app.close();
    rmSync(dist, { recursive: true, force: true });
  });

  it('says how to build it while it is not built', async () => {
    const answer = await app.inject({ url: '/' });
    expect(answer.statusCode).toBe(503);
    expect(answer.body).toContain('npm run build');
  });

  it('serves the page anew each time and hashed files for ever', async () => {
    mkdirSync(path.join(dist, 'assets'));
    writeFileSync(path.join(dist, 'index.html'), '<!doctype html>');
    writeFileSync(path.join(dist, 'assets', 'index-abc.js'), '1');
    const page = await app.inject({ url: '/' });
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-cache']);
    const file = await app.inject({ url: '/assets/index-abc.js' });
    expect([file.statusCode, file.headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  });

  it.each(['/assets/../../package.json', '/%2e%2e/package.json', '/.env'])(
    'gives nothing outside it: %s',
    async (url) => {
      expect((await app.inject({ url })).statusCode).toBeGreaterThanOrEqual(400);
    },
  );

  it('sends the security headers', async () => {
    const { headers } = await app.inject({ url: '/' });
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
    expect(headers['content-security-policy']).not.toContain('unsafe-eval');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-request-id']).toMatch(/^[a-z0-9]{12}$/);
  });

  it('[S21] tells its health without a session, and nothing else', async () => {
    const answer = await app.inject({ url: '/health' });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ status: 'degraded' });
  });
});
