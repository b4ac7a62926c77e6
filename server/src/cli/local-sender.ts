import { prepareDataFolder } from '../engines/data-folder.ts';
import { readLocalToken } from '../features/ingest/local-access.ts';
import { readConfig } from '../platform/config.ts';
import { UsageError } from './command.ts';
import { CHECKOUT } from './serve-command.ts';

// How a command reaches the senders' port of the server that runs on this machine's data folder.

type Env = Readonly<Record<string, string | undefined>>;

/** The address that the configuration gives to senders. */
export function sendersUrl(env: Env): string {
  const config = readConfig(env);
  return `${config.tls ? 'https' : 'http'}://${config.bind}:${config.ingestPort}`;
}

/** Headers of a command that the server knows by the data folder. UsageError when no server runs on it. */
export function localHeaders(
  scope: { readonly tenant?: string; readonly scope?: string },
  env: Env,
): Record<string, string> {
  const local = readLocalToken(prepareDataFolder(readConfig(env).dataFolder, CHECKOUT));
  if (local === undefined) {
    throw new UsageError(
      'no server runs on this data folder (TYRIAN_DATA): start it, or name --url and --token',
    );
  }
  return {
    authorization: `Bearer ${local}`,
    ...(scope.tenant === undefined ? {} : { 'x-tyrian-tenant': encodeURIComponent(scope.tenant) }),
    ...(scope.scope === undefined ? {} : { 'x-tyrian-scope': encodeURIComponent(scope.scope) }),
  };
}
