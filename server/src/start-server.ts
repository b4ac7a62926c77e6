import { createServer } from 'node:net';
import { storedText } from '@tyrian/contract';
import { type Composed, compose } from './compose.ts';
import { prepareDataFolder } from './engines/data-folder.ts';
import { type Engines, startEngines } from './engines/start-engines.ts';
import { startNotices } from './engines/start-notices.ts';
import type { EventStore } from './platform/clickhouse/event-store.ts';
import { routeEventStore } from './platform/clickhouse/route-event-store.ts';
import { systemClock } from './platform/clock.ts';
import { type ComponentRole, createComponentRegistry } from './platform/components/component-registry.ts';
import { createProcessMetrics } from './platform/components/process-metrics.ts';
import type { Config } from './platform/config.ts';
import type { BackgroundWork, RoutedFeature } from './platform/feature.ts';
import { apiReferenceRoute } from './platform/http/api-reference-route.ts';
import { closeApp } from './platform/http/close-app.ts';
import { createHttpApp } from './platform/http/create-http-app.ts';
import { healthRoute } from './platform/http/health-route.ts';
import { explainListenError, type ListenAddress, listen } from './platform/http/listen.ts';
import { openapiRoute } from './platform/http/openapi-route.ts';
import { serveConsole } from './platform/http/serve-console.ts';
import { createProxyTrust, type ProxyTrust } from './platform/http/trusted-proxies.ts';
import type { Logger } from './platform/log.ts';
import { createOutgoing, type Outgoing } from './platform/outgoing/outgoing-connections.ts';
import type { Platform } from './platform/platform.ts';
import { secretBoxOf } from './platform/secret-box.ts';
import { VERSION } from './platform/version.ts';
import { whyUnavailable } from './why-unavailable.ts';

// Starts the roles of a server in order: ports looked at, engines up, migrations, features, listening. What was
// started is stopped in the opposite order, also when a later step fails.

export interface StartServerOptions {
  readonly config: Config;
  readonly checkout: string;
  readonly log: Logger;
  readonly roles: readonly ComponentRole[];
}

export interface RunningServer {
  readonly platform: Platform;
  readonly composed: Composed;
  /** `http://127.0.0.1:9500`; undefined without the api role. */
  readonly address: string | undefined;
  readonly ingestAddress: string | undefined;
  /** What the preparation has to say once, such as the first administrator. */
  readonly notices: readonly string[];
  stop(): Promise<void>;
}

type Undo = () => Promise<void>;

/** A step of the stop that takes longer is left behind, so that the engines are always stopped. */
const STOP_STEP_MS = 8_000;

function addressesOf(config: Config, roles: readonly ComponentRole[]) {
  const { bind } = config;
  return {
    api: roles.includes('api') ? { bind, port: config.port, variable: 'TYRIAN_PORT' } : undefined,
    ingest: roles.includes('ingest')
      ? { bind, port: config.ingestPort, variable: 'TYRIAN_INGEST_PORT' }
      : undefined,
  };
}

/** Fails early and clearly, before engines are started for nothing. */
async function assertPortIsFree(address: ListenAddress | undefined): Promise<void> {
  if (!address || address.port === 0) return;
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(explainListenError(error, address)));
    probe.listen({ host: address.bind, port: address.port }, () => probe.close(() => resolve()));
  });
}

/** Limits of the port of senders. */
const senderConnections = ({ ingestConnections, ingestConnectionsPerAddress }: Config) => ({
  most: ingestConnections,
  perAddress: ingestConnectionsPerAddress,
});

async function openPort(
  platform: Platform,
  composed: Composed,
  features: readonly RoutedFeature[],
  address: ListenAddress,
  withConsole: boolean,
  proxies: ProxyTrust,
  undo: Undo[],
): Promise<string> {
  const app = await createHttpApp({
    log: platform.log,
    authorizer: composed.authorizer,
    trail: composed.refusals,
    whyUnavailable: () => whyUnavailable(platform.engineHealth()),
    checkOutput: false,
    tls: platform.config.tls,
    proxies,
    ...(withConsole ? {} : { connections: senderConnections(platform.config) }),
  });
  healthRoute(app, platform.engineHealth);
  if (withConsole) {
    openapiRoute(app, platform.version);
    apiReferenceRoute(app);
    await serveConsole(app);
  }
  for (const feature of features) await feature.register(app);
  undo.push(() => composed.refusals.flush(true));
  undo.push(() => closeApp(app));
  const port = await listen(app, address);
  platform.outgoing.keepOut({ host: 'localhost', port });
  // Links in mails and passkeys name the port that the system chose.
  if (withConsole) platform.config.port = port;
  return `${platform.config.tls ? 'https' : 'http'}://${address.bind}:${port}`;
}

async function startWork(list: readonly BackgroundWork[], undo: Undo[]): Promise<void> {
  for (const work of list) {
    undo.push(() => work.stop());
    await work.start();
  }
}

function portsOf(config: Config): readonly number[] {
  const { port, ingestPort, syslogPort, syslogTlsPort, otlpGrpcPort, forwardPort, gelfPort } = config;
  return [port, ingestPort, syslogPort, syslogTlsPort, otlpGrpcPort, forwardPort, gelfPort];
}

/** The way out, which never leads to the ports of this platform itself, whatever networks are listed. */
function outgoingOf({ config, log }: StartServerOptions, { postgresUrl, clickhouse }: Engines): Outgoing {
  const outgoing = createOutgoing({ allow: config.outgoingAllow, log });
  for (const address of [postgresUrl, ...(clickhouse.cluster?.urls ?? [clickhouse.url])]) {
    const { protocol, hostname, port } = new URL(address);
    const usual = protocol === 'https:' ? 443 : protocol === 'http:' ? 80 : 5432;
    outgoing.keepOut({ host: hostname || 'localhost', port: Number(port) || usual });
  }
  for (const port of portsOf(config)) {
    if (port !== 0) outgoing.keepOut({ host: 'localhost', port });
  }
  return outgoing;
}

function platformOf(
  options: StartServerOptions,
  dataFolder: string,
  engines: Engines,
  eventStore: EventStore,
): Platform {
  const { config, log } = options;
  const { postgres, health } = engines;
  const components = createComponentRegistry({ postgres, clock: systemClock, log, version: VERSION });
  return {
    config: { ...config },
    dataFolder,
    log,
    clock: systemClock,
    version: VERSION,
    postgres,
    eventStore,
    components,
    outgoing: outgoingOf(options, engines),
    engineHealth: health,
  };
}

async function stopInReverse(undo: Undo[], log: Logger): Promise<void> {
  for (const step of undo.splice(0).reverse()) {
    await withinStopTime(step()).catch((error: Error) =>
      log.warn({ err: error.message }, 'a step of the stop failed'),
    );
  }
}

async function withinStopTime(step: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${STOP_STEP_MS / 1000} s`)), STOP_STEP_MS);
  });
  await Promise.race([step, late]).finally(() => clearTimeout(timer));
}

function storedNotice(proxies: ReturnType<typeof createProxyTrust>): string | null {
  const said = proxies.notice();
  return said && storedText(said);
}

/** Registers the roles, each with its own figures and its heartbeat. */
async function startRoles(
  { components, dataFolder }: Platform,
  composed: Composed,
  roles: readonly ComponentRole[],
  proxies: ProxyTrust,
): Promise<void> {
  // Whoever takes files from people, or fetches, takes events in without the role of ingest.
  const takesIn = roles.includes('ingest') ? 'ingest' : roles[0];
  for (const role of roles) {
    const metrics = createProcessMetrics(dataFolder);
    const own = role === takesIn ? composed.ingestFigures : () => ({});
    const notice = () => (role === 'worker' ? null : storedNotice(proxies));
    await components.start(role, () => ({ ...metrics(), ...own(), notice: notice() }));
  }
}

/** Starts the roles; rejects with ConfigError when the configuration does not allow it. */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { config, checkout, log, roles } = options;
  const addresses = addressesOf(config, roles);
  await assertPortIsFree(addresses.api);
  await assertPortIsFree(addresses.ingest);
  const dataFolder = prepareDataFolder(config.dataFolder, checkout);
  const undo: Undo[] = [];
  try {
    const engines = await startEngines({ config, dataFolder, log });
    undo.push(() => engines.stop());
    await engines.postgres.migrate();
    // Goes on beside the start; a failure is logged, and the first query that needs it tries again.
    engines.eventStore.prepareCountries().catch(() => undefined);
    const secrets = secretBoxOf({ config, dataFolder });
    const routed = routeEventStore({
      shared: engines.eventStore,
      postgres: engines.postgres,
      secrets,
      log,
    });
    undo.push(() => routed.closeOwn());
    const platform = platformOf(options, dataFolder, engines, routed.eventStore);
    const composed = compose(platform);
    const notices = [...startNotices(config), ...(await composed.prepare())];
    // In this order, because background work sends events through ingest and must stop before it.
    if (roles.includes('ingest')) await startWork(composed.ingestWork, undo);
    if (roles.includes('worker')) await startWork(composed.work, undo);
    // Before anything listens: who is answered may rely on a start that is complete.
    undo.push(() => platform.components.stop());
    const proxies = createProxyTrust(config.trustedProxies, log);
    await startRoles(platform, composed, roles, proxies);
    const open = (
      address: ListenAddress | undefined,
      features: readonly RoutedFeature[],
      console: boolean,
    ) => (address ? openPort(platform, composed, features, address, console, proxies, undo) : undefined);
    const ingestAddress = await open(addresses.ingest, composed.ingest, false);
    const address = await open(addresses.api, composed.api, true);
    return { platform, composed, address, ingestAddress, notices, stop: () => stopInReverse(undo, log) };
  } catch (error) {
    await stopInReverse(undo, log);
    throw error;
  }
}
