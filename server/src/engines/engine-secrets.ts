import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const schema = z.object({
  postgresOwner: z.string().min(16),
  postgresApp: z.string().min(16),
  clickhouseIngest: z.string().min(16),
  clickhouseQuery: z.string().min(16),
});

/** Passwords of the embedded engines. They never leave the machine. */
export type EngineSecrets = z.output<typeof schema>;

const secret = () => randomBytes(24).toString('base64url');

/** Reads the passwords of a data folder, or makes them: `engine-secrets.json`, readable by its owner only. */
export function engineSecrets(dataFolder: string): EngineSecrets {
  const file = path.join(dataFolder, 'engine-secrets.json');
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new Error(`${file} is damaged: ${(error as Error).message}`);
    }
  }
  const made: EngineSecrets = {
    postgresOwner: secret(),
    postgresApp: secret(),
    clickhouseIngest: secret(),
    clickhouseQuery: secret(),
  };
  writeFileSync(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return made;
}
