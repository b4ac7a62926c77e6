import { ConfigError } from '../platform/config.ts';
import { type Command, UsageError } from './command.ts';
import { localHeaders, sendersUrl } from './local-sender.ts';
import { parseOptions } from './parse-options.ts';

export const tokenCommand: Command = {
  name: 'token',
  summary: 'make a token for senders of events',
  usage: `Usage: tyrian token NAME [--tenant T] [--scope S] [--shared-key] [--url http://host:8088]

Makes a source of that name in a scope of the server that runs on this machine's data folder, and prints its token.
The token is shown this once. Tenant and scope are ids or names, and may be left out when there is only one.

  --shared-key  the token is also the shared key of Fluent forward; the server keeps it sealed, not only its hash`,
  run: async ({ args, env }) => {
    const { values, positionals } = parseOptions(
      args,
      {
        tenant: { type: 'string' },
        scope: { type: 'string' },
        url: { type: 'string' },
        'shared-key': { type: 'boolean', default: false },
      },
      true,
    );
    const [name, ...rest] = positionals;
    if (name === undefined || rest.length > 0) throw new UsageError('give the source one name');
    const url = values.url?.replace(/\/+$/, '') ?? sendersUrl(env);
    const headers = {
      ...localHeaders(values, env),
      'x-tyrian-source': encodeURIComponent(name),
      ...(values['shared-key'] ? { 'x-tyrian-shared-key': 'yes' } : {}),
    };
    let response: Response;
    try {
      response = await fetch(`${url}/ingest/tokens`, { method: 'POST', headers });
    } catch {
      throw new ConfigError(`${url} does not answer: is the server running?`);
    }
    const answer = (await response.json()) as { message: string; data: { token: string } | null };
    if (!response.ok || answer.data === null) throw new ConfigError(answer.message);
    process.stdout.write(`${answer.data.token}\n`);
    return 0;
  },
};
