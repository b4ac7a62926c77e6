import { z } from 'zod';
import { syslogCertificateSchema, syslogNetworkSchema } from '../sources/network-endpoints.ts';

// What a connector is told, by the program behind its kind. Settings are flat, so that one form shows them all. Secrets
// are no part of them: they travel beside, one way only.

export const CONNECTOR_ENGINES = ['push', 'http', 's3', 'kafka'] as const;
export type ConnectorEngine = (typeof CONNECTOR_ENGINES)[number];

const text = (max: number) => z.string().trim().max(max);
const httpUrl = z.url({ protocol: /^https?$/ }).max(2_000);
/** A way through JSON by names and dots, such as `data.items`; empty: the value itself. */
const jsonPath = text(200).regex(/^([\w@$:-]+(\.[\w@$:-]+)*)?$/);
const pair = z.object({ name: text(100).min(1), value: z.string().max(2_000) });
const HEADER_VALUE = /^[\t\x20-\x7e\u00a1-\uffff]*$/;
const headerPair = z.object({
  name: text(100).regex(/^[\w!#$%&'*+.^`|~-]+$/),
  value: z.string().max(2_000).regex(HEADER_VALUE),
});

export const HTTP_AUTH = ['none', 'header', 'basic', 'bearer', 'oauth'] as const;
export const RECORD_FORMATS = ['json', 'ndjson', 'csv', 'lines'] as const;
export const PAGINATIONS = ['none', 'link-header', 'next-link', 'cursor', 'page', 'offset'] as const;
export const HTTP_CURSORS = ['none', 'time', 'field'] as const;
export const TIME_FORMATS = ['iso', 'iso-seconds', 'epoch-s', 'epoch-ms'] as const;

/**
 * Parameters, headers and body may hold `{since}`, `{until}`, `{cursor}`, `{page}`, `{offset}` and `{limit}`; a parameter
 * whose value is not known yet is left out.
 */
export const httpPollerConfigSchema = z.object({
  url: httpUrl,
  method: z.enum(['GET', 'POST']).default('GET'),
  query: z.array(pair).max(30).default([]),
  headers: z.array(headerPair).max(30).default([]),
  /** Of a POST: JSON. A member whose value is not known yet is left out. */
  body: z.string().max(8_000).default(''),
  auth: z.enum(HTTP_AUTH).default('none'),
  /** Of `header`: its name. The secret is its value. */
  auth_header: text(100)
    .regex(/^[\w-]+$/)
    .default('Authorization'),
  /** Of `basic`. The secret is the password. */
  auth_user: text(200).default(''),
  /** Of `oauth`: client credentials. The secret is that of the client. */
  token_url: z.union([z.literal(''), httpUrl]).default(''),
  client_id: text(200).default(''),
  oauth_scope: text(500).default(''),
  format: z.enum(RECORD_FORMATS).default('json'),
  records_path: jsonPath.default(''),
  /** The field of each record that holds the address of the real records; empty: the records are these. */
  follow_path: jsonPath.default(''),
  pagination: z.enum(PAGINATIONS).default('none'),
  /** Where the answer has the address or cursor of the next page. */
  next_path: jsonPath.default(''),
  page_size: z.number().int().min(1).max(10_000).default(100),
  /** The last cursor or address of a next page is where the next poll begins. */
  keep_cursor: z.boolean().default(false),
  cursor: z.enum(HTTP_CURSORS).default('none'),
  /** Where each record has its time, or the field that grows. */
  cursor_path: jsonPath.default(''),
  time_format: z.enum(TIME_FORMATS).default('iso'),
  /** Seconds before the newest record that are asked for again: some services show records late. */
  overlap_s: z.number().int().min(0).max(86_400).default(60),
  /** Days back that the first poll asks for. */
  first_days: z.number().int().min(0).max(365).default(1),
  /** Longest range of one poll, hours; 0: up to now. */
  window_h: z.number().int().min(0).max(720).default(0),
  interval_s: z.number().int().min(5).max(86_400).default(60),
  per_minute: z.number().int().min(1).max(6_000).default(60),
});
export type HttpPollerConfig = z.output<typeof httpPollerConfigSchema>;

export const s3ConfigSchema = z.object({
  /** Of the service, without the bucket. */
  endpoint: httpUrl,
  region: text(64).default('us-east-1'),
  bucket: text(63).regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  prefix: text(500).default(''),
  /** The bucket is part of the path, not of the name of the host. */
  path_style: z.boolean().default(true),
  access_key: text(200).min(1),
  format: z.enum(RECORD_FORMATS).default('json'),
  records_path: jsonPath.default(''),
  /** Names grow with time, as those of most logs do: only what comes after the last one is listed. */
  is_ordered: z.boolean().default(false),
  /** Objects that changed longer ago than so many days are left out at the first run. */
  first_days: z.number().int().min(0).max(3_650).default(1),
  interval_s: z.number().int().min(5).max(86_400).default(60),
});
export type S3Config = z.output<typeof s3ConfigSchema>;

export const KAFKA_SASL = ['none', 'plain', 'scram-sha-256', 'scram-sha-512'] as const;
const broker = text(260).regex(/^[\w.[\]:-]+:\d{1,5}$/);

export const kafkaConfigSchema = z.object({
  brokers: z.array(broker).min(1).max(20),
  topics: z
    .array(text(249).regex(/^[\w.-]+$/))
    .min(1)
    .max(20),
  /** Empty: one of this connector's own. */
  group_id: text(200)
    .regex(/^[\w.-]*$/)
    .default(''),
  /** Where a partition is begun that was never read. */
  from_beginning: z.boolean().default(false),
  tls: z.boolean().default(true),
  /** PEM; the system's authorities when empty. */
  ca_certificate: z.string().max(20_000).default(''),
  sasl: z.enum(KAFKA_SASL).default('none'),
  username: text(200).default(''),
});
export type KafkaConfig = z.output<typeof kafkaConfigSchema>;

/** A kind to which senders push: what proves whose events they are. */
export const pushConfigSchema = z.object({
  networks: z.array(syslogNetworkSchema).max(64).default([]),
  certificates: z.array(syslogCertificateSchema).max(64).default([]),
  /** Syslog alone: also a token in structured data. Other kinds always have one. */
  with_token: z.boolean().default(false),
});
export type PushConfig = z.output<typeof pushConfigSchema>;

export const CONNECTOR_CONFIGS = {
  push: pushConfigSchema,
  http: httpPollerConfigSchema,
  s3: s3ConfigSchema,
  kafka: kafkaConfigSchema,
} as const;
