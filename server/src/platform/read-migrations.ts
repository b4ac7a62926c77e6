import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const DB_FOLDER = fileURLToPath(new URL('../../../db', import.meta.url));

export interface MigrationFile {
  /** `0001_platform.sql` */
  readonly name: string;
  readonly number: number;
  readonly text: string;
}

/** The files NNNN_name.sql of db/postgres or db/clickhouse, by number. Throws when two share a number. */
export function readMigrations(store: 'postgres' | 'clickhouse'): readonly MigrationFile[] {
  const folder = path.join(DB_FOLDER, store);
  const files = readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      name,
      number: Number(name.slice(0, 4)),
      text: readFileSync(path.join(folder, name), 'utf8'),
    }));
  for (const [index, file] of files.entries()) {
    if (files[index - 1]?.number === file.number) {
      throw new Error(`db/${store}: ${files[index - 1]?.name} and ${file.name} share a number`);
    }
  }
  return files;
}
