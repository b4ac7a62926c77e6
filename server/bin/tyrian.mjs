#!/usr/bin/env node
// Runs the program in this same process, so that signals, exit codes and standard streams need no relay: as built from its
// sources, or straight from them where it cannot be built.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureProgramBuilt } from './build-program.mjs';

async function programUrl() {
  try {
    return pathToFileURL(path.join(await ensureProgramBuilt(), 'main.mjs'));
  } catch (error) {
    process.stderr.write(
      `Runs from the sources, as the program could not be built: ${error?.message ?? error}\n`,
    );
    const { register } = await import('tsx/esm/api');
    register();
    return new URL('../src/main.ts', import.meta.url);
  }
}

process.setSourceMapsEnabled(true);
await import(await programUrl());
