import { fileURLToPath } from 'node:url';
import { COMPONENT_ROLES, type ComponentRole } from '../platform/components/component-registry.ts';
import { readConfig } from '../platform/config.ts';
import { createLog, type Logger } from '../platform/log.ts';
import { servePromptly } from '../platform/serve-promptly.ts';
import { type RunningServer, startServer } from '../start-server.ts';
import { type Command, UsageError } from './command.ts';
import { makeFirstDemo } from './make-first-demo.ts';
import { parseOptions } from './parse-options.ts';
import { untilAskedToStop } from './until-asked-to-stop.ts';

/** The folder that holds package.json; the data folder stands in it unless configured. */
export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

function rolesOf(role: string | undefined): readonly ComponentRole[] {
  if (role === undefined) return COMPONENT_ROLES;
  const found = COMPONENT_ROLES.find((known) => known === role);
  if (!found) throw new UsageError(`--role: ${role} is none of ${COMPONENT_ROLES.join(', ')}`);
  return [found];
}

/** A promise that nobody awaited is a bug of ours: it is logged, and does not take the server down. */
function surviveStrayRejections(log: Logger): void {
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'a failure went unobserved'));
}

/** The server serves also when the demo cannot be made. */
async function firstDemoOf({ platform, composed }: RunningServer): Promise<readonly string[]> {
  try {
    return await makeFirstDemo(platform.postgres, composed.demo, (await composed.tenants()).length);
  } catch (error) {
    platform.log.error({ err: error }, 'the demo company could not be made');
    return ['The demo company could not be made (the log says why); the next start tries again.'];
  }
}

export const serveCommand: Command = {
  name: 'serve',
  summary: 'run the server: console, calls, ingest and background work',
  usage: `Usage: tyrian serve [--role api|ingest|worker] [--with-demo]

Starts the engines (or connects to those of TYRIAN_POSTGRES_URL and TYRIAN_CLICKHOUSE_URL) and serves until
SIGTERM or SIGINT. Settings are TYRIAN_* variables, also readable from the file that TYRIAN_CONFIG names.

  --role        run one role instead of all three
  --with-demo   on a data folder without tenants, also make the demo company`,
  run: async ({ args, env }) => {
    const { values } = parseOptions(args, {
      role: { type: 'string' },
      'with-demo': { type: 'boolean', default: false },
    });
    const config = readConfig(env);
    const log = createLog(config.logLevel);
    surviveStrayRejections(log);
    const stopAsked = untilAskedToStop();
    const server = await startServer({ config, checkout: CHECKOUT, log, roles: rolesOf(values.role) });
    const demo = values['with-demo'] ? await firstDemoOf(server) : [];
    for (const line of [...server.notices, ...demo]) process.stdout.write(`${line}\n`);
    servePromptly();
    if (server.address) process.stdout.write(`Tyrian is ready: ${server.address}\n`);
    if (server.ingestAddress) process.stdout.write(`Senders: ${server.ingestAddress}\n`);
    const reason = await stopAsked;
    log.info({ reason }, 'stopping');
    await server.stop();
    return 0;
  },
};
