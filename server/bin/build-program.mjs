import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { BUILDS, buildFolder } from '../src/platform/built-program.mjs';

// Joins the program into a few files of JavaScript: `main.mjs` and one for each script that a worker thread begins with.
// Packages of others stay where they are installed.

const SOURCES = path.join(BUILDS, '..', 'src');
/** Builds that are kept: processes that still run may want to start a thread from an older one. */
const BUILDS_KEPT = 3;

/** Modules know the place of their sources, from which they find what is not code. */
function keepSourceUrls(folder) {
  const ownUrl = /import\.meta\.url/g;
  return {
    name: 'keep the URLs of sources',
    setup: (build) =>
      build.onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path: file }) => {
        const relative = JSON.stringify(path.relative(folder, file).split(path.sep).join('/'));
        const text = await readFile(file, 'utf8');
        const contents = text.replace(ownUrl, `new URL(${relative}, import.meta.url).href`);
        return { contents, loader: file.endsWith('.ts') ? 'ts' : 'js' };
      }),
  };
}

const packagesOfOthers = {
  name: 'packages of others',
  setup: (build) => {
    // What is built needs nothing that translates TypeScript.
    build.onResolve({ filter: /^tsx\// }, () => ({ path: 'tsx', namespace: 'not needed' }));
    build.onLoad({ filter: /./, namespace: 'not needed' }, () => ({
      contents: 'export function register() {}',
    }));
    // Imported, these megabytes would be searched for names that they export; they export none.
    build.onResolve({ filter: /^@kusto\// }, ({ path: name }) => ({ path: name, namespace: 'required' }));
    build.onLoad({ filter: /./, namespace: 'required' }, ({ path: name }) => ({
      contents: `import { createRequire } from 'node:module';
        createRequire(import.meta.url)(${JSON.stringify(name)});`,
    }));
    build.onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) =>
      kind === 'entry-point' || name.startsWith('@tyrian/') ? null : { path: name, external: true },
    );
  },
};

async function entryPoints() {
  const files = await readdir(SOURCES, { recursive: true });
  const starts = files.filter((file) => /^start-[a-z-]+\.mjs$/.test(path.basename(file)));
  return ['main.ts', ...starts].map((file) => path.join(SOURCES, file));
}

async function buildInto(folder) {
  const { build, stop } = await import('esbuild');
  const built = build({
    entryPoints: await entryPoints(),
    outdir: folder,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    keepNames: true,
    logLevel: 'silent',
    plugins: [packagesOfOthers, keepSourceUrls(folder)],
  });
  // It works in a process of its own, which would stay as long as this one.
  await built.finally(stop);
}

async function removeOld() {
  const folders = (await readdir(BUILDS)).map((name) => path.join(BUILDS, name));
  const dated = await Promise.all(folders.map(async (folder) => [(await stat(folder)).mtimeMs, folder]));
  const old = dated.sort(([a], [b]) => b - a).slice(BUILDS_KEPT);
  await Promise.all(old.map(([, folder]) => rm(folder, { recursive: true, force: true })));
}

/**
 * The folder of the program as built from the sources as they are now; builds it when it is not there. Fails where the
 * sources cannot be built or the checkout cannot be written.
 */
export async function ensureProgramBuilt() {
  const folder = buildFolder();
  if (existsSync(folder)) return folder;
  const unfinished = path.join(BUILDS, `unfinished-${randomUUID()}`);
  await mkdir(unfinished, { recursive: true });
  try {
    await buildInto(unfinished);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  }
  await removeOld();
  return folder;
}
