// Set-up of the journeys: a whole server in a process of its own, in an empty data folder, with the demo company.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  acceptEula,
  acceptPolicy,
  addDemo,
  type DemoAccount,
  login,
  readDemo,
  type UserAccess,
} from '@tyrian/contract';
import type { TestProject } from 'vitest/node';
import { ANY_PORTS } from '../server/src/platform/config.ts';

const PROGRAM = fileURLToPath(new URL('../server/bin/tyrian.mjs', import.meta.url));
const START_TIMEOUT_MS = 120_000;
const FILL_TIMEOUT_MS = 240_000;

/** What journeys know of the server that they visit. */
export interface JourneyServer {
  readonly address: string;
  readonly ingestAddress: string;
  readonly root: { readonly email: string; readonly password: string };
  /** Demo users by role, e.g. `Security analyst`. */
  readonly accounts: readonly DemoAccount[];
  /**
   * Where visitors write down the secrets that they sent, one a line: none may be in the server's log. Beside it the
   * turns of journey-turns.ts.
   */
  readonly secretsFile: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    journeyServer: JourneyServer;
  }
}

interface Body<T> {
  readonly status: string;
  readonly message: string;
  readonly data: T;
}

/** One call; throws with the server's message when it is refused. */
export async function callServer<T>(url: string, method: string, body?: unknown, ssid?: string): Promise<T> {
  const answer = await fetch(url, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...(ssid ? { SSID: ssid } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const envelope = (await answer.json()) as Body<T>;
  if (envelope.status !== 'success') throw new Error(`${method} ${url}: ${envelope.message}`);
  return envelope.data;
}

/** Waits for the lines that the server prints once it serves. */
async function untilReady(child: ChildProcess, output: () => string) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const address = /^Tyrian is ready: (\S+)$/m.exec(output())?.[1];
    const ingestAddress = /^Senders: (\S+)$/m.exec(output())?.[1];
    if (address && ingestAddress) return { address, ingestAddress };
    await sleep(200);
  }
  throw new Error(`the server did not start:\n${output()}`);
}

/** How far the demo is; null when the server is too busy to say, which on a slow machine it may be for a while. */
async function demoState(address: string, ssid: string): Promise<string | null> {
  const asked = callServer<{ state: string }>(`${address}${readDemo.path}`, readDemo.method, undefined, ssid);
  return asked.then(
    ({ state }) => state,
    () => null,
  );
}

/** What a person does at the first sign-in: before it the server answers nothing else. */
async function acceptAgreements(address: string, { SSID, user_id }: UserAccess): Promise<void> {
  await callServer(`${address}${acceptEula.path}`, acceptEula.method, {}, SSID);
  const path = acceptPolicy.path.replace(':user_id', user_id);
  await callServer(`${address}${path}`, acceptPolicy.method, { isPolicyAccepted: true }, SSID);
}

async function fillDemo(address: string, root: JourneyServer['root']): Promise<readonly DemoAccount[]> {
  const record = await callServer<UserAccess>(`${address}${login.path}`, login.method, {
    emailId: root.email,
    password: root.password,
  });
  const { SSID } = record;
  await acceptAgreements(address, record);
  const { accounts } = await callServer<{ accounts: readonly DemoAccount[] }>(
    `${address}${addDemo.path}`,
    addDemo.method,
    {},
    SSID,
  );
  const deadline = Date.now() + FILL_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const state = await demoState(address, SSID);
    if (state === 'ready') return accounts;
    await sleep(1_000);
  }
  throw new Error('the demo company was not filled in time');
}

/** [S05] Session ids, passwords and tokens of all visitors stand in no line of the log. */
function assertKept(secrets: readonly string[], log: string): void {
  const line = log.split('\n').find((one) => secrets.some((secret) => one.includes(secret)));
  if (line !== undefined) throw new Error(`[S05] a secret of a visitor stands in the server's log: ${line}`);
}

/** Starts a server with the demo; the returned function stops it and removes its data. */
export async function startJourneyServer(): Promise<{ server: JourneyServer; stop: () => Promise<void> }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tyrian-journey-'));
  chmodSync(folder, 0o711);
  const root = { email: 'root@tyrian.test', password: 'Quay-lantern.58' };
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    // With a channel: it ends when the run is killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TYRIAN_DATA: path.join(folder, 'data'),
      ...ANY_PORTS,
      TYRIAN_ADMIN_EMAIL: root.email,
      TYRIAN_ADMIN_PASSWORD: root.password,
      // Identity providers, directories and mail servers of the journeys stand on this machine.
      TYRIAN_OUTGOING_ALLOW: '127.0.0.0/8',
      // The finest: the log is searched for secrets at the end.
      TYRIAN_LOG_LEVEL: 'debug',
      // A fifth of the demo's usual day: nobody here counts, and the browser needs the machine.
      TYRIAN_DEMO_EVENTS: '100000',
    },
  });
  const said: string[] = [];
  const logged: string[] = [];
  child.stdout?.on('data', (chunk) => said.push(String(chunk)));
  child.stderr?.on('data', (chunk) => logged.push(String(chunk)));
  const secretsFile = path.join(folder, 'sent-secrets.txt');
  writeFileSync(secretsFile, `${root.password}\n`);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(20_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))]);
    const secrets = readFileSync(secretsFile, 'utf8').split('\n').filter(Boolean);
    rmSync(folder, { recursive: true, force: true });
    assertKept(secrets, logged.join(''));
  };
  try {
    const addresses = await untilReady(child, () => [...said, ...logged].join(''));
    const accounts = await fillDemo(addresses.address, root);
    return { server: { ...addresses, root, accounts, secretsFile }, stop };
  } catch (error) {
    const failures = failuresIn(logged.join(''));
    await stop();
    throw new Error(`${String(error)}\nThe server's log says:\n${failures}`, { cause: error });
  }
}

/** The last warnings and errors of a log, one a line. */
const failuresIn = (log: string): string =>
  log
    .split('\n')
    .filter((line) => /"level":[456]0/.test(line))
    .slice(-20)
    .join('\n');

export default async function setUpJourneys(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startJourneyServer();
  project.provide('journeyServer', server);
  return stop;
}
