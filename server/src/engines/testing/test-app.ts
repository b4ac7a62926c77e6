import type { Endpoint, Envelope, OutputOf } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { type Composed, compose } from '../../compose.ts';
import type { NativeDetection } from '../../features/workbooks/native-content.ts';
import { apiReferenceRoute } from '../../platform/http/api-reference-route.ts';
import { closeApp } from '../../platform/http/close-app.ts';
import { createHttpApp } from '../../platform/http/create-http-app.ts';
import { healthRoute } from '../../platform/http/health-route.ts';
import { openapiRoute } from '../../platform/http/openapi-route.ts';
import { createProxyTrust } from '../../platform/http/trusted-proxies.ts';
import { injectEndpoint } from './inject-endpoint.ts';
import { sharedCompiler } from './shared-compiler.ts';
import { type TestPlatform, type TestPlatformOptions, testPlatform } from './test-platform.ts';

export interface TestCall {
  readonly ssid?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly input?: unknown;
  /** Where the call comes from; calls are counted by address. */
  readonly remoteAddress?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestAnswer<T> {
  readonly http: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The body as it is: an envelope, or the output itself for flat answers. */
  readonly body: Envelope<T> & T;
  /** `data` of the envelope. */
  readonly data: T;
  readonly text: string;
}

export interface TestAppOptions extends TestPlatformOptions {
  /** All that come with Tyrian when absent. */
  readonly shippedDetections?: readonly NativeDetection[];
}

export interface TestApp {
  readonly platform: TestPlatform;
  readonly composed: Composed;
  /** Console and calls. */
  readonly app: FastifyInstance;
  /** The port of senders. */
  readonly ingestApp: FastifyInstance;
  /** Calls an endpoint as a client would, path parameters filled in. */
  call<E extends Endpoint>(endpoint: E, call?: TestCall): Promise<TestAnswer<OutputOf<E>>>;
  close(): Promise<void>;
}

function pathOf(endpoint: Endpoint, params: Readonly<Record<string, string>>): string {
  return endpoint.path.replace(/:(\w+)/g, (_all, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${endpoint.name}: parameter ${name} is missing`);
    return encodeURIComponent(value);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function queryOf(input: unknown): Record<string, string> {
  const entries = Object.entries((input ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** The whole server without ports: every feature, on a fresh database, answers checked against their schemas. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const platform = await testPlatform(options);
  const composed = compose(platform, { ...options, compiler: sharedCompiler() });
  await composed.prepare();
  const proxies = createProxyTrust(platform.config.trustedProxies, platform.log);
  const make = async (features: Composed['api']) => {
    const app = await createHttpApp({
      log: platform.log,
      authorizer: composed.authorizer,
      trail: composed.refusals,
      whyUnavailable: () => null,
      checkOutput: true,
      proxies,
      perMinute: 1_000_000,
    });
    healthRoute(app, platform.engineHealth);
    openapiRoute(app, platform.version);
    apiReferenceRoute(app);
    for (const feature of features) await feature.register(app);
    await app.ready();
    return app;
  };
  const app = await make(composed.api);
  const ingestApp = await make(composed.ingest);
  return {
    platform,
    composed,
    app,
    ingestApp,
    call: async (endpoint, { ssid, params = {}, input, remoteAddress, headers } = {}) => {
      const inBody = endpoint.method === 'POST' || endpoint.method === 'PUT';
      const response = await injectEndpoint(app, endpoint, {
        method: endpoint.method,
        url: pathOf(endpoint, params),
        ...(remoteAddress === undefined ? {} : { remoteAddress }),
        headers: { ...headers, ...(ssid ? { ssid } : {}) },
        ...(inBody ? { payload: (input ?? {}) as object } : { query: queryOf(input) }),
      });
      const body = parsed(response.payload) as never;
      platform.secrets.note({ input, body, ssid });
      return {
        http: response.statusCode,
        headers: response.headers,
        body,
        data: (body as Envelope<never> | null)?.data as never,
        text: response.payload,
      };
    },
    close: async () => {
      await closeApp(app);
      await closeApp(ingestApp);
      await platform.close();
    },
  };
}
