import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seedCompany } from '../server/src/features/identity/users/testing/seed-company.ts';
import { ingestFeature } from '../server/src/features/ingest/ingest-feature.ts';
import { ANY_PORTS, readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { servePromptly } from '../server/src/platform/serve-promptly.ts';
import { startServer } from '../server/src/start-server.ts';

// The server that bench/neighbours.ts measures, in a process of its own, on an empty folder with two tenants.

/** One tenant as its own people reach it. */
export interface BenchTenant {
  readonly clusterId: string;
  readonly scope: string;
  /** Session of an engineer. */
  readonly ssid: string;
  /** Token of senders. */
  readonly token: string;
}

export interface BenchServer {
  readonly pid: number;
  readonly folder: string;
  readonly address: string;
  readonly ingestAddress: string;
  readonly a: BenchTenant;
  readonly b: BenchTenant;
}

async function serve(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-bench-'));
  chmodSync(folder, 0o711);
  const config = readConfig({
    TYRIAN_DATA: folder,
    ...ANY_PORTS,
  });
  const log = createLog('silent');
  const server = await startServer({ config, checkout: folder, log, roles: ['api', 'ingest', 'worker'] });
  servePromptly();
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  };
  process.once('disconnect', () => void stop());
  const company = await seedCompany(server.platform);
  const { sources } = ingestFeature(server.platform, { audit: company.identity.audit });
  const tenant = async (of: 'a' | 'b', role: 'engineer' | 'engineerOfB'): Promise<BenchTenant> => {
    const { clusterId, scope } = company[of];
    const source = {
      clusterId,
      scopeId: scope,
      name: 'bench',
      kind: 'http',
      networks: [],
      by: null,
    } as const;
    const { token } = await sources.create(source);
    return { clusterId, scope, ssid: await company.signIn(role), token: token ?? '' };
  };
  const ready: BenchServer = {
    pid: process.pid,
    folder,
    address: server.address ?? '',
    ingestAddress: server.ingestAddress ?? '',
    a: await tenant('a', 'engineer'),
    b: await tenant('b', 'engineerOfB'),
  };
  process.send?.({ ready });
}

if (process.send !== undefined) await serve();
