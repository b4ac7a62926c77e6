import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { parseTrustedProxies } from './http/trusted-proxies.ts';
import { LOG_LEVELS } from './log.ts';
import { type Network, parseNetworks } from './outgoing/network-list.ts';

// Everything that can be configured, in one table of TYRIAN_* variables. Each may stand in the environment
// or in the file that TYRIAN_CONFIG names (NAME=value lines); the environment wins. All are optional.

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number from 0 to 65535')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a port number from 0 to 65535');
const count = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'must be a number from 1 to 999999')
  .transform(Number);
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });
const httpUrl = z.url({ protocol: /^https?$/ });
/** One, or several with commas between them. */
const httpUrls = z.string().transform((text, context): readonly string[] => {
  const urls = text.split(',').map((url) => url.trim());
  for (const url of urls) {
    if (httpUrl.safeParse(url).success) continue;
    context.addIssue({ code: 'custom', message: 'Invalid URL' });
    return z.NEVER;
  }
  return urls;
});
const networks = z.string().transform((text, context): readonly Network[] => {
  try {
    return parseNetworks(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
});

const trustedProxies = z.string().transform((text, context) => {
  try {
    return parseTrustedProxies(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
});

const schema = z.object({
  TYRIAN_DATA: z.string().min(1).optional(),
  TYRIAN_BIND: z.string().min(1).default('127.0.0.1'),
  TYRIAN_PORT: port.default(9500),
  TYRIAN_INGEST_PORT: port.default(8088),
  TYRIAN_SYSLOG_PORT: port.default(5514),
  TYRIAN_SYSLOG_TLS_PORT: port.default(6514),
  TYRIAN_OTLP_GRPC_PORT: port.default(4317),
  TYRIAN_FORWARD_PORT: port.default(24224),
  TYRIAN_GELF_PORT: port.default(12201),
  /** Open connections of senders over HTTP, in all and of one address; syslog has limits of its own. */
  TYRIAN_INGEST_CONNECTIONS: count.default(2_000),
  TYRIAN_INGEST_CONNECTIONS_PER_ADDRESS: count.default(500),
  /** What the spool of ingest may take on disk, in MiB. */
  TYRIAN_SPOOL_LIMIT_MIB: count.default(2_048),
  TYRIAN_PUBLIC_URL: httpUrl.optional(),
  TYRIAN_TRUSTED_PROXIES: trustedProxies.optional(),
  TYRIAN_ADMIN_EMAIL: z.email().optional(),
  TYRIAN_ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
  // Seals stored secrets; needed when several machines serve the same database.
  TYRIAN_SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  TYRIAN_POSTGRES_URL: postgresUrl.optional(),
  TYRIAN_CLICKHOUSE_URL: httpUrls.optional(),
  /** The cluster whose shards TYRIAN_CLICKHOUSE_URL names. */
  TYRIAN_CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z_]\w{0,63}$/, 'must be the name of a cluster: letters, digits and _')
    .optional(),
  TYRIAN_TLS_CERT: z.string().min(1).optional(),
  TYRIAN_TLS_KEY: z.string().min(1).optional(),
  /** Authorities of client certificates of syslog over TLS. */
  TYRIAN_SYSLOG_CLIENT_CA: z.string().min(1).optional(),
  /** Networks that are not public and that users may name: directories, identity providers, mail servers. */
  TYRIAN_OUTGOING_ALLOW: networks.optional(),
  TYRIAN_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  /** Events of the past day that the demo company has. */
  TYRIAN_DEMO_EVENTS: z
    .string()
    .regex(/^\d{5,8}$/, 'must be a number of events from 10000 to 99999999')
    .transform(Number)
    .default(520_000),
});

type Variables = z.output<typeof schema>;

/** Every port chosen by the system, as variables: for servers of tests and benchmarks, many of which run at once. */
export const ANY_PORTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(schema.shape)
    .filter((name) => name.endsWith('_PORT'))
    .map((name) => [name, '0']),
);

/** The configuration of one process. Ports may be 0: the system chooses a free one. */
export interface Config {
  /** As given; where data really goes when it is absent is decided by `chooseDataFolder`. */
  readonly dataFolder: string | undefined;
  readonly bind: string;
  /** Once the console listens, the port that it has. */
  port: number;
  readonly ingestPort: number;
  readonly syslogPort: number;
  readonly syslogTlsPort: number;
  readonly otlpGrpcPort: number;
  /** Fluent forward. */
  readonly forwardPort: number;
  /** GELF over UDP and TCP. */
  readonly gelfPort: number;
  readonly ingestConnections: number;
  readonly ingestConnectionsPerAddress: number;
  readonly spoolLimitBytes: number;
  readonly publicUrl: string | undefined;
  /** Addresses and networks whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  readonly trustedProxies: readonly string[];
  readonly adminEmail: string | undefined;
  readonly adminPassword: string | undefined;
  readonly secretKey: string | undefined;
  readonly postgresUrl: string | undefined;
  readonly clickhouseUrl: string | undefined;
  /** The name of a cluster of the given ClickHouse, and an engine of each of its shards. */
  readonly clickhouseCluster: { readonly name: string; readonly urls: readonly string[] } | undefined;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly syslogClientCa: string | undefined;
  /** What may be connected to beside public addresses when a user names it; nothing when empty. */
  readonly outgoingAllow: readonly Network[];
  readonly logLevel: Variables['TYRIAN_LOG_LEVEL'];
  readonly demoEvents: number;
}

/** A mistake in the configuration, in words for whoever starts the program. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

function parseConfigFile(file: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`TYRIAN_CONFIG: cannot read ${file}: ${(error as Error).message}`);
  }
  const values: Record<string, string> = {};
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const match = /^(TYRIAN_[A-Z_]+)\s*=\s*(.*)$/.exec(trimmed);
    if (!match) throw new ConfigError(`${file}:${index + 1}: expected TYRIAN_NAME=value, found: ${trimmed}`);
    values[match[1] ?? ''] = (match[2] ?? '').replace(/^(["'])(.*)\1$/, '$2');
  }
  return values;
}

function knownVariables(source: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const known = new Set([...Object.keys(schema.shape), 'TYRIAN_CONFIG']);
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (!name.startsWith('TYRIAN_') || value === undefined || value === '') continue;
    if (!known.has(name)) {
      throw new ConfigError(`${name} is not a setting of Tyrian. Known: ${[...known].sort().join(', ')}`);
    }
    found[name] = value;
  }
  return found;
}

function tlsOf(variables: Variables): Config['tls'] {
  const { TYRIAN_TLS_CERT: cert, TYRIAN_TLS_KEY: key } = variables;
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new ConfigError('TYRIAN_TLS_CERT and TYRIAN_TLS_KEY belong together: set both or none');
  }
  return { cert: path.resolve(cert), key: path.resolve(key) };
}

function clientCaOf({ TYRIAN_SYSLOG_CLIENT_CA: ca, TYRIAN_TLS_CERT: cert }: Variables): string | undefined {
  if (ca === undefined) return undefined;
  if (cert === undefined) {
    throw new ConfigError(
      'TYRIAN_SYSLOG_CLIENT_CA needs TYRIAN_TLS_CERT and TYRIAN_TLS_KEY: it is for syslog over TLS',
    );
  }
  return path.resolve(ca);
}

function clusterOf(variables: Variables): Config['clickhouseCluster'] {
  const { TYRIAN_CLICKHOUSE_CLUSTER: name, TYRIAN_CLICKHOUSE_URL: urls } = variables;
  if (name !== undefined && urls !== undefined) return { name, urls };
  if (name !== undefined) {
    throw new ConfigError(
      'TYRIAN_CLICKHOUSE_CLUSTER needs TYRIAN_CLICKHOUSE_URL: the address of an engine of each shard, with commas',
    );
  }
  if (urls !== undefined && urls.length > 1) {
    throw new ConfigError(
      'TYRIAN_CLICKHOUSE_URL names several addresses: TYRIAN_CLICKHOUSE_CLUSTER says to which cluster they belong',
    );
  }
  return undefined;
}

/**
 * Reads the configuration from the environment and the file that TYRIAN_CONFIG names.
 * Throws ConfigError with one line for each wrong value.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const file = env.TYRIAN_CONFIG;
  const fromFile = file ? knownVariables(parseConfigFile(file)) : {};
  const parsed = schema.safeParse({ ...fromFile, ...knownVariables(env) });
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigError(`Wrong configuration:\n  ${lines.join('\n  ')}`);
  }
  const v = parsed.data;
  return {
    dataFolder: v.TYRIAN_DATA === undefined ? undefined : path.resolve(v.TYRIAN_DATA),
    bind: v.TYRIAN_BIND,
    port: v.TYRIAN_PORT,
    ingestPort: v.TYRIAN_INGEST_PORT,
    syslogPort: v.TYRIAN_SYSLOG_PORT,
    syslogTlsPort: v.TYRIAN_SYSLOG_TLS_PORT,
    otlpGrpcPort: v.TYRIAN_OTLP_GRPC_PORT,
    forwardPort: v.TYRIAN_FORWARD_PORT,
    gelfPort: v.TYRIAN_GELF_PORT,
    ingestConnections: v.TYRIAN_INGEST_CONNECTIONS,
    ingestConnectionsPerAddress: v.TYRIAN_INGEST_CONNECTIONS_PER_ADDRESS,
    spoolLimitBytes: v.TYRIAN_SPOOL_LIMIT_MIB * 1024 * 1024,
    publicUrl: v.TYRIAN_PUBLIC_URL,
    trustedProxies: v.TYRIAN_TRUSTED_PROXIES ?? [],
    adminEmail: v.TYRIAN_ADMIN_EMAIL,
    adminPassword: v.TYRIAN_ADMIN_PASSWORD,
    secretKey: v.TYRIAN_SECRET_KEY,
    postgresUrl: v.TYRIAN_POSTGRES_URL,
    clickhouseUrl: v.TYRIAN_CLICKHOUSE_URL?.[0],
    clickhouseCluster: clusterOf(v),
    tls: tlsOf(v),
    syslogClientCa: clientCaOf(v),
    outgoingAllow: v.TYRIAN_OUTGOING_ALLOW ?? [],
    logLevel: v.TYRIAN_LOG_LEVEL,
    demoEvents: v.TYRIAN_DEMO_EVENTS,
  };
}
