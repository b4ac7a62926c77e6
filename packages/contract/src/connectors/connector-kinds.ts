import { z } from 'zod';
import { CONNECTOR_CONFIGS, CONNECTOR_ENGINES, type ConnectorEngine } from './connector-config.ts';
import { CONNECTOR_GROUPS, type ConnectorKind } from './connector-kind.ts';
import { SAAS_KINDS } from './saas-kinds-table.ts';

// The catalogue: what can be connected. A kind is a program (its engine) with the settings that it begins with.

const push = (kind: string, name: string, words: string): ConnectorKind => ({
  ...{ kind, name, words },
  engine: 'push',
  group: 'protocols',
});

export const CONNECTOR_KINDS: readonly ConnectorKind[] = [
  push('syslog', 'Syslog', 'udp tcp tls rsyslog syslog-ng firewall linux rfc5424 rfc3164 cef leef'),
  push('hec', 'Splunk HTTP Event Collector', 'hec splunk http vector fluent-bit cribl'),
  push('bulk', 'Elasticsearch _bulk', 'beats filebeat winlogbeat logstash elastic vector fluent-bit'),
  push('ndjson', 'HTTP, lines of any kind', 'ndjson json http curl webhook'),
  {
    ...{ kind: 'http-poller', engine: 'http', group: 'saas', name: 'HTTP API' },
    words: 'poller rest json api generic pull',
  },
  {
    ...{ kind: 's3', engine: 's3', group: 'stores', name: 'S3 bucket' },
    words: 'amazon aws minio ceph r2 object storage gzip cloudtrail',
    needs: 's3:ListBucket, s3:GetObject',
  },
  {
    ...{ kind: 'kafka', engine: 'kafka', group: 'stores', name: 'Apache Kafka' },
    words: 'redpanda confluent msk event hubs topic',
  },
  ...SAAS_KINDS,
];

export const connectorKindSchema = z.object({
  kind: z.string(),
  engine: z.enum(CONNECTOR_ENGINES),
  group: z.enum(CONNECTOR_GROUPS),
  name: z.string(),
  words: z.string(),
  needs: z.string(),
  config: z.record(z.string(), z.unknown()),
});
export type ListedConnectorKind = z.output<typeof connectorKindSchema>;

const BY_KIND = new Map(CONNECTOR_KINDS.map((one) => [one.kind, one]));

/** The kind of that name; undefined when the catalogue has none. */
export function findConnectorKind(kind: string): ConnectorKind | undefined {
  return BY_KIND.get(kind);
}

/** Names of the secrets that a connector with these settings needs. */
export function secretsOf(
  engine: ConnectorEngine,
  config: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (engine === 'http') return config.auth === 'none' || config.auth === undefined ? [] : ['secret'];
  if (engine === 's3') return ['secret_key'];
  if (engine === 'kafka') return config.sasl === 'none' || config.sasl === undefined ? [] : ['password'];
  return [];
}

/** The settings of an engine before anybody has said anything, for what has a default. */
export function defaultsOf(engine: ConnectorEngine): Readonly<Record<string, unknown>> {
  const fields = Object.entries(CONNECTOR_CONFIGS[engine].shape as Readonly<Record<string, z.ZodType>>);
  return Object.fromEntries(
    fields.flatMap(([name, schema]) => {
      const empty = schema.safeParse(undefined);
      return empty.success && empty.data !== undefined ? [[name, empty.data]] : [];
    }),
  );
}
