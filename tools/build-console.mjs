// `npm run build`: builds the console into console/dist.
import { buildConsole } from './ensure-console-built.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

await ensureInstalled();
process.exitCode = await buildConsole();
