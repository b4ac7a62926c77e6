import { mkdtempSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpApp } from '../../platform/http/create-http-app.ts';
import { selfSignedCertificate } from '../../platform/http/testing/self-signed-certificate.ts';
import { ingestFeature } from './ingest-feature.ts';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// TYRIAN_TLS_CERT and TYRIAN_TLS_KEY: both HTTP ports speak https, and syslog has a TLS port.

let setup: SenderSetup;
let folder: string;
let files: ReturnType<typeof selfSignedCertificate>;

beforeAll(async () => {
  setup = await senderSetup();
  folder = mkdtempSync(path.join(tmpdir(), 'tyrian-tls-'));
  files = selfSignedCertificate(folder);
});
afterAll(async () => {
  await setup.close();
  rmSync(folder, { recursive: true, force: true });
});

it('speaks https with the certificate that was given, and not http', async () => {
  const app = await createHttpApp({ ...setup.test.ingestApp.platform, tls: files });
  app.get('/hello', async () => ({ ok: true }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  try {
    const status = await new Promise((resolve, reject) => {
      https
        .get({ host: '127.0.0.1', port, path: '/hello', ca: files.pem, agent: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
        .on('error', reject);
    });
    expect(status).toBe(200);
    await expect(fetch(`http://127.0.0.1:${port}/hello`)).rejects.toThrow();
  } finally {
    await app.close();
  }
});

it('takes syslog over TLS', async () => {
  const { platform } = setup.test;
  const config = { ...platform.config, tls: files, syslogPort: 0, syslogTlsPort: 0 };
  const feature = ingestFeature({ ...platform, config }, { audit: setup.company.identity.audit });
  const { clusterId, scope: scopeId } = setup.company.a;
  await setup.giveNetworks('127.0.0.0/8');
  await feature.sources.create({
    clusterId,
    scopeId,
    name: 'over-tls',
    kind: 'syslog',
    networks: ['127.0.0.0/8'],
    by: null,
  });
  await feature.work.start();
  try {
    const { tls: port } = feature.work.ports().syslog;
    const socket = tls.connect({ host: '127.0.0.1', port: port ?? 0, ca: files.pem });
    socket.end('<34>1 2026-01-01T00:00:00Z h app - - - over tls\n');
    socket.resume();
    await new Promise((resolve, reject) => socket.on('close', resolve).on('error', reject));
    await expect.poll(() => setup.count("SourceName = 'over-tls'"), { timeout: 10_000 }).toBe(1);
  } finally {
    await feature.work.stop();
  }
});
