import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/log.ts';
import { othersCanReach, prepareDataFolder } from './data-folder.ts';
import { isRoot } from './engine-identity.ts';
import { type Engines, startEngines } from './start-engines.ts';

export interface ScratchEngines extends Engines {
  readonly dataFolder: string;
}

/** A new temporary folder; for root one that the engines' users can enter. */
export function scratchFolder(prefix: string): string {
  const parent = isRoot() ? ([tmpdir(), '/tmp', '/var/tmp'].find(othersCanReach) ?? tmpdir()) : tmpdir();
  const folder = mkdtempSync(path.join(parent, prefix));
  if (isRoot()) chmodSync(folder, 0o711);
  return folder;
}

/** Both engines in a temporary folder, which `stop` removes. For tests, checks and one-off commands. */
export async function startScratchEngines(config: Config, log: Logger): Promise<ScratchEngines> {
  const made = scratchFolder('tyrian-scratch-');
  const remove = () => rmSync(made, { recursive: true, force: true });
  try {
    const dataFolder = prepareDataFolder(made, made);
    const engines = await startEngines({ config, dataFolder, log, durable: false });
    return {
      ...engines,
      dataFolder,
      stop: async () => {
        await engines.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
