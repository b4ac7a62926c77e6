import { isRoot } from '../engines/data-folder.ts';
import { startScratchEngines } from '../engines/scratch-engines.ts';
import { readConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import type { Command } from './command.ts';
import { parseOptions } from './parse-options.ts';

export const checkCommand: Command = {
  name: 'check',
  summary: 'check the configuration and that both engines can run here',
  usage: `Usage: tyrian check

Reads the configuration, starts (or connects to) both engines in a temporary folder, and says what it found.
The data folder is not touched.`,
  run: async ({ args, env }) => {
    parseOptions(args, {});
    const config = readConfig(env);
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
