import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seedCompany } from '../server/src/features/identity/users/testing/seed-company.ts';
import type { EventStore } from '../server/src/platform/clickhouse/event-store.ts';
import { ANY_PORTS, readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { startServer } from '../server/src/start-server.ts';

// A server of its own on an empty folder, for what is measured over HTTP.

export interface BenchTarget {
  readonly address: string;
  readonly clusterId: string;
  readonly scope: string;
  /** Session of an engineer of the scope. */
  readonly ssid: string;
}

export interface OwnServer {
  readonly target: BenchTarget;
  readonly eventStore: EventStore;
  /** Stops the server and removes its folder. */
  close(): Promise<void>;
}

/** Starts the role api with one tenant that has no events yet. */
export async function openBenchServer(): Promise<OwnServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-bench-'));
  chmodSync(folder, 0o711);
  const config = readConfig({
    TYRIAN_DATA: folder,
    ...ANY_PORTS,
  });
  const server = await startServer({ config, checkout: folder, log: createLog('silent'), roles: ['api'] });
  const close = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const company = await seedCompany(server.platform);
    const { clusterId, scope } = company.a;
    const { eventStore } = server.platform;
    await eventStore.ensureTenant(clusterId);
    const ssid = await company.signIn('engineer');
    return { target: { address: server.address ?? '', clusterId, scope, ssid }, eventStore, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A call of the tenant below `/wrk/api`; throws what it was refused with. */
export async function called<T>(
  { address, clusterId, ssid }: BenchTarget,
  way: string,
  body?: object,
): Promise<T> {
  const headers = { ssid, ...(body ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(`${address}/${clusterId}/wrk/api/${way}`, {
    headers,
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${way}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
