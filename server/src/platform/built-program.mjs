import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// The program is written in TypeScript and runs from JavaScript that it is joined into beforehand (build-program.mjs): to
// translate a thousand files one by one takes seconds of a processor at each start, and again for each thread. A build
// belongs to the sources that it was made from, by their names, sizes and times, and lies in a folder of its own, so that a
// process goes on with its own files while another builds anew.

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCES = [path.join('server', 'src'), 'packages', 'package-lock.json'];
const LEFT_OUT = /^(node_modules|dist|testing)$|\.test\.ts$/;

/** Holds one folder for each build. */
export const BUILDS = path.join(CHECKOUT, 'server', 'dist');

function* filesBelow(name) {
  const entry = statSync(path.join(CHECKOUT, name));
  if (!entry.isDirectory()) yield `${name} ${entry.size} ${entry.mtimeMs}`;
  else
    for (const inside of readdirSync(path.join(CHECKOUT, name)).sort())
      if (!LEFT_OUT.test(inside)) yield* filesBelow(path.join(name, inside));
}

/** The folder of a build of the sources as they are now, whether it exists or not. */
export function buildFolder() {
  const hash = createHash('sha256');
  for (const source of SOURCES) for (const file of filesBelow(source)) hash.update(`${file}\n`);
  return path.join(BUILDS, hash.digest('hex').slice(0, 16));
}

/** The folder that this very module runs from, or that of a build of the sources as they are now. */
function folderInUse() {
  return path.dirname(import.meta.dirname) === BUILDS ? import.meta.dirname : buildFolder();
}

/**
 * What a worker thread begins with: the build of a script `start-….mjs`, or without a build the script itself, which
 * translates what it imports.
 *
 * @param {URL} script
 */
export function threadScript(script) {
  const built = path.join(folderInUse(), path.basename(script.pathname));
  return existsSync(built) ? pathToFileURL(built) : script;
}
