import {
  CONNECTOR_CONFIGS,
  type ConnectorEngine,
  type HttpPollerConfig,
  type KafkaConfig,
  type S3Config,
  type ServerMessage,
  say,
  secretsOf,
} from '@tyrian/contract';
import { type InputMistake, inputRefusal, mistakesOf } from '../../platform/http/input-refusal.ts';

// Settings as people give them: checked by the schema of the engine and by what a schema cannot say, with the place of
// each mistake.

export type Settings = Readonly<Record<string, unknown>>;

const PLACEHOLDER = /<[a-z][a-z0-9 -]*>/i;

function mistake(path: string, reason: ServerMessage): InputMistake {
  return { path, reason };
}

/** Parts in angle brackets that a prepared form leaves to its user. */
function unfilled(config: Settings): InputMistake[] {
  const texts = Object.entries(config).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[name, value] as const];
    if (!Array.isArray(value)) return [];
    return value.flatMap((one: unknown) => {
      const text = typeof one === 'object' && one !== null ? (one as { value?: unknown }).value : one;
      return typeof text === 'string' ? [[name, text] as const] : [];
    });
  });
  return texts.flatMap(([name, text]) => {
    const part = name === 'ca_certificate' ? undefined : PLACEHOLDER.exec(text)?.[0];
    return part === undefined ? [] : [mistake(`config.${name}`, say('connectors.fillIn', { part }))];
  });
}

/** The settings of an engine with its defaults. Throws AppError `bad-input` with every mistake. */
export function checkedConfig(engine: ConnectorEngine, given: Settings): Settings {
  const open = unfilled(given);
  if (open.length > 0) throw inputRefusal(open);
  const parsed = CONNECTOR_CONFIGS[engine].safeParse(given, { reportInput: true });
  if (!parsed.success) throw inputRefusal(mistakesOf(parsed.error.issues, 'config'));
  const more = engine === 'http' ? mistakesOfHttp(parsed.data as HttpPollerConfig) : [];
  if (more.length > 0) throw inputRefusal(more);
  return parsed.data;
}

function mistakesOfHttp(config: HttpPollerConfig): InputMistake[] {
  const missing = (name: keyof HttpPollerConfig) =>
    config[name] === '' ? [mistake(`config.${name}`, say('reasons.missing'))] : [];
  const needsNext = config.pagination === 'next-link' || config.pagination === 'cursor';
  return [
    ...(config.auth === 'oauth' ? [...missing('token_url'), ...missing('client_id')] : []),
    ...(config.auth === 'basic' ? missing('auth_user') : []),
    ...(needsNext ? missing('next_path') : []),
    ...(config.cursor === 'none' ? [] : missing('cursor_path')),
    ...(config.body.trim() === '' || isObject(config.body)
      ? []
      : [mistake('config.body', say('connectors.notJsonBody'))]),
  ];
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Where the secrets of a connector are sent. */
function destinationsOf(engine: ConnectorEngine, config: Settings): string {
  const origin = (address: string) => (address === '' ? '' : new URL(address).origin);
  if (engine === 'http') {
    const { url, token_url: tokens, auth } = config as HttpPollerConfig;
    // Client credentials go to the token address; what it gives goes to the other.
    return auth === 'oauth' ? `${origin(tokens)} ${origin(url)}` : origin(url);
  }
  if (engine === 's3') return origin((config as S3Config).endpoint);
  const { brokers, tls, sasl } = config as KafkaConfig;
  // Without TLS, and in the plain form, others could read it on its way.
  return engine === 'kafka' ? [...brokers].sort().join(' ') + String(tls) + sasl : '';
}

/**
 * The secrets after a change: what is given replaces, an empty text removes, the rest stays, as far as the settings need it.
 * Throws AppError `bad-input` when one is missing, or would be sent to somebody who did not have it before.
 */
export function mergedSecrets(
  engine: ConnectorEngine,
  now: { readonly config: Settings; readonly given: Readonly<Record<string, string>> },
  before?: { readonly config: Settings; readonly secrets: Readonly<Record<string, string>> },
): Readonly<Record<string, string>> {
  const leadsElsewhere =
    before !== undefined && destinationsOf(engine, before.config) !== destinationsOf(engine, now.config);
  const mistakes: InputMistake[] = [];
  const secrets: Record<string, string> = {};
  for (const name of secretsOf(engine, now.config)) {
    const given = now.given[name];
    const kept = before?.secrets[name];
    if (given !== undefined && given !== '') secrets[name] = given;
    else if (given === '' || kept === undefined)
      mistakes.push(mistake(`secrets.${name}`, say('connectors.noSecret')));
    else if (leadsElsewhere) mistakes.push(mistake(`secrets.${name}`, say('connectors.secretAnew')));
    else secrets[name] = kept;
  }
  if (mistakes.length > 0) throw inputRefusal(mistakes);
  return secrets;
}
