import {
  type ConnectorEngine,
  HTTP_AUTH,
  HTTP_CURSORS,
  KAFKA_SASL,
  PAGINATIONS,
  RECORD_FORMATS,
  TIME_FORMATS,
} from '@tyrian/contract';

// The form of each engine: which setting is shown how, and when. What may stand in it says the schema in the contract.

export type Settings = Readonly<Record<string, unknown>>;

interface FieldCommon {
  /** Of the setting, and of its texts. */
  readonly name: string;
  readonly isRequired?: boolean;
  readonly shows?: (settings: Settings) => boolean;
}

export type ConnectorField = FieldCommon &
  (
    | { readonly form: 'text' | 'lines' | 'flag' | 'pairs' | 'list' | 'secret' }
    | { readonly form: 'number'; readonly least: number; readonly most: number }
    | { readonly form: 'choice'; readonly of: readonly string[] }
  );

export interface FieldSection {
  readonly title: 'address' | 'proof' | 'records' | 'pages' | 'progress' | 'senders';
  readonly fields: readonly ConnectorField[];
}

const is =
  (name: string, ...values: readonly unknown[]) =>
  (settings: Settings): boolean =>
    values.includes(settings[name]);
const isNot =
  (name: string, value: unknown) =>
  (settings: Settings): boolean =>
    settings[name] !== value;

const number = (
  name: string,
  least: number,
  most: number,
  shows?: ConnectorField['shows'],
): ConnectorField => ({
  ...{ name, form: 'number', least, most },
  ...(shows ? { shows } : {}),
});

const HTTP: readonly FieldSection[] = [
  {
    title: 'address',
    fields: [
      { name: 'url', form: 'text', isRequired: true },
      { name: 'method', form: 'choice', of: ['GET', 'POST'] },
      { name: 'query', form: 'pairs' },
      { name: 'headers', form: 'pairs' },
      { name: 'body', form: 'lines', shows: is('method', 'POST') },
    ],
  },
  {
    title: 'proof',
    fields: [
      { name: 'auth', form: 'choice', of: HTTP_AUTH },
      { name: 'auth_header', form: 'text', isRequired: true, shows: is('auth', 'header') },
      { name: 'auth_user', form: 'text', isRequired: true, shows: is('auth', 'basic') },
      { name: 'token_url', form: 'text', isRequired: true, shows: is('auth', 'oauth') },
      { name: 'client_id', form: 'text', isRequired: true, shows: is('auth', 'oauth') },
      { name: 'oauth_scope', form: 'text', shows: is('auth', 'oauth') },
      { name: 'secret', form: 'secret', shows: isNot('auth', 'none') },
    ],
  },
  {
    title: 'records',
    fields: [
      { name: 'format', form: 'choice', of: RECORD_FORMATS },
      { name: 'records_path', form: 'text', shows: is('format', 'json') },
      { name: 'follow_path', form: 'text', shows: is('format', 'json') },
    ],
  },
  {
    title: 'pages',
    fields: [
      { name: 'pagination', form: 'choice', of: PAGINATIONS },
      {
        ...{ name: 'next_path', form: 'text', isRequired: true },
        shows: is('pagination', 'next-link', 'cursor'),
      },
      number('page_size', 1, 10_000),
      {
        ...{ name: 'keep_cursor', form: 'flag' },
        shows: is('pagination', 'next-link', 'link-header', 'cursor'),
      },
    ],
  },
  {
    title: 'progress',
    fields: [
      { name: 'cursor', form: 'choice', of: HTTP_CURSORS },
      { name: 'cursor_path', form: 'text', isRequired: true, shows: isNot('cursor', 'none') },
      { name: 'time_format', form: 'choice', of: TIME_FORMATS, shows: is('cursor', 'time') },
      number('overlap_s', 0, 86_400, is('cursor', 'time')),
      number('window_h', 0, 720, is('cursor', 'time')),
      number('first_days', 0, 365, is('cursor', 'time')),
      number('interval_s', 5, 86_400),
      number('per_minute', 1, 6_000),
    ],
  },
];

const S3: readonly FieldSection[] = [
  {
    title: 'address',
    fields: [
      { name: 'endpoint', form: 'text', isRequired: true },
      { name: 'region', form: 'text', isRequired: true },
      { name: 'bucket', form: 'text', isRequired: true },
      { name: 'prefix', form: 'text' },
      { name: 'path_style', form: 'flag' },
    ],
  },
  {
    title: 'proof',
    fields: [
      { name: 'access_key', form: 'text', isRequired: true },
      { name: 'secret_key', form: 'secret' },
    ],
  },
  {
    title: 'records',
    fields: [
      { name: 'format', form: 'choice', of: RECORD_FORMATS },
      { name: 'records_path', form: 'text', shows: is('format', 'json') },
    ],
  },
  {
    title: 'progress',
    fields: [
      { name: 'is_ordered', form: 'flag' },
      number('first_days', 0, 3_650),
      number('interval_s', 5, 86_400),
    ],
  },
];

const KAFKA: readonly FieldSection[] = [
  {
    title: 'address',
    fields: [
      { name: 'brokers', form: 'list', isRequired: true },
      { name: 'topics', form: 'list', isRequired: true },
      { name: 'group_id', form: 'text' },
      { name: 'from_beginning', form: 'flag' },
    ],
  },
  {
    title: 'proof',
    fields: [
      { name: 'tls', form: 'flag' },
      { name: 'ca_certificate', form: 'lines', shows: is('tls', true) },
      { name: 'sasl', form: 'choice', of: KAFKA_SASL },
      { name: 'username', form: 'text', isRequired: true, shows: isNot('sasl', 'none') },
      { name: 'password', form: 'secret', shows: isNot('sasl', 'none') },
    ],
  },
];

const SYSLOG: readonly FieldSection[] = [
  {
    title: 'senders',
    fields: [
      { name: 'networks', form: 'list' },
      { name: 'certificates', form: 'list' },
      { name: 'with_token', form: 'flag' },
    ],
  },
];

/** The sections of the form of a kind. */
export function sectionsOf(engine: ConnectorEngine, kind: string): readonly FieldSection[] {
  if (engine === 'http') return HTTP;
  if (engine === 's3') return S3;
  if (engine === 'kafka') return KAFKA;
  return kind === 'syslog' ? SYSLOG : [];
}
