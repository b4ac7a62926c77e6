// `npm start`: the way to try Tyrian. Installs and builds what is missing, then serves; on an empty data folder it
// also makes the demo company. Needs nothing but Node, because it runs before anything is installed.
import { ensureConsoleBuilt } from './ensure-console-built.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

await ensureInstalled();
await ensureConsoleBuilt();

// A newcomer reads addresses and passwords, not a log; `tyrian serve` logs everything.
process.env.TYRIAN_LOG_LEVEL ??= 'warn';

// In this same process, so that signals and exit codes need no relay.
process.argv.splice(2, 0, 'serve', '--with-demo');
await import('../server/bin/tyrian.mjs');
