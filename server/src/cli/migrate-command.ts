import { prepareDataFolder } from '../engines/data-folder.ts';
import { startEngines } from '../engines/start-engines.ts';
import {
  migrateTenants,
  type TenantMigrationProgress,
} from '../features/identity/tenants/migrate-tenants.ts';
import { routeEventStore } from '../platform/clickhouse/route-event-store.ts';
import { readConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { secretBoxOf } from '../platform/secret-box.ts';
import type { Command } from './command.ts';
import { identityServices } from './identity-services.ts';
import { parseOptions } from './parse-options.ts';
import { CHECKOUT } from './serve-command.ts';

/** One line for each step: file, position among the tenants, how much of the file is done. */
function lineOf({ clusterId, tenant, tenants, file, done, total }: TenantMigrationProgress): string {
  return `tenant ${tenant} of ${tenants} (${clusterId}): ${file}, step ${done} of ${total}`;
}

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'bring records and events up to the tables of this version',
  usage: `Usage: tyrian migrate

Works on the data folder of a server that is not running, or on the engines that TYRIAN_POSTGRES_URL and
TYRIAN_CLICKHOUSE_URL name. A server does the same behind its start; until it is done, searches of a tenant whose events
are older are refused, and what senders send waits.

Interrupted, it ends after the step that it is at; the next run goes on behind it.`,
  run: async ({ args, env }) => {
    parseOptions(args, {});
    const config = readConfig(env);
    const log = createLog('warn');
    const dataFolder = prepareDataFolder(config.dataFolder, CHECKOUT);
    const ended = new AbortController();
    const end = (): void => ended.abort(new Error('ended; the next run goes on from here'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
    const say = (line: string) => process.stdout.write(`${line}\n`);
    const engines = await startEngines({ config, dataFolder, log });
    try {
      const { postgres } = engines;
      await postgres.migrate();
      const secrets = secretBoxOf({ config, dataFolder });
      const routed = routeEventStore({ shared: engines.eventStore, postgres, secrets, log });
      const { tenants } = identityServices(postgres);
      const { migrated, failed } = await migrateTenants(
        { eventStore: routed.eventStore, tenants: tenants.allWithScopes, log },
        { signal: ended.signal, onProgress: (progress) => say(lineOf(progress)) },
      );
      await routed.closeOwn();
      say(`tenants brought up to date: ${migrated}, failed: ${failed.length}`);
      for (const { clusterId, reason } of failed) process.stderr.write(`${clusterId}: ${reason}\n`);
      return failed.length === 0 ? 0 : 1;
    } catch (error) {
      process.stderr.write(`${(error as Error).message}\n`);
      return 1;
    } finally {
      await engines.stop();
    }
  },
};
