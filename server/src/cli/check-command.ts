import { isRoot } from '../engines/engine-identity.ts';
import { startScratchEngines } from '../engines/scratch-engines.ts';
import { readConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { checkAudit } from './check-audit.ts';
import { type Command, UsageError } from './command.ts';
import { parseOptions } from './parse-options.ts';

export const checkCommand: Command = {
  name: 'check',
  summary: 'check the configuration and the engines, or that the audit trail is whole',
  usage: `Usage: tyrian check
       tyrian check audit [--expect NUMBER:HASH]

Reads the configuration, starts (or connects to) both engines in a temporary folder, and says what it found.
The data folder is not touched.

audit      walks the chain of audit entries and names each that was changed, removed or moved; ends with 1 if any
--expect   an end of the chain that an earlier check printed: finds a trail that was written anew`,
  run: async ({ args, env }) => {
    const { values, positionals } = parseOptions(args, { expect: { type: 'string' } }, true);
    const config = readConfig(env);
    if (positionals[0] === 'audit') return checkAudit(config, values.expect);
    if (positionals.length > 0) throw new UsageError(`check: ${positionals[0]} is not something to check`);
    const say = (line: string) => process.stdout.write(`${line}\n`);
    say(`Node ${process.version}, ${process.platform} ${process.arch}${isRoot() ? ', as root' : ''}`);
    say('Configuration: no mistake found');
    const engines = await startScratchEngines(config, createLog('silent'));
    try {
      await engines.postgres.ping();
      say(`PostgreSQL: ${config.postgresUrl ? 'answers at TYRIAN_POSTGRES_URL' : 'embedded, runs'}`);
      await engines.eventStore.ping();
      say(`ClickHouse: ${config.clickhouseUrl ? 'answers at TYRIAN_CLICKHOUSE_URL' : 'embedded, runs'}`);
    } finally {
      await engines.stop();
    }
    return 0;
  },
};
