import { SECRET_NAME } from '../../platform/without-secrets.ts';

// The log of a test, from its finest level on, and the secrets that went through its calls: none may stand there.

export interface SecretWatch {
  /** Takes the lines of the log; what is an error also goes to standard error. */
  readonly log: { write(line: string): void };
  /** Remembers every text that stands under the name of a secret, at any depth. */
  note(value: unknown): void;
  /** Throws when a remembered secret stands in a line of the log. */
  assertKept(): void;
}

/** Shorter ones stand in logs by chance. */
const SHORTEST = 8;
const ERROR_LEVEL = 50;

export function watchSecrets(): SecretWatch {
  const lines: string[] = [];
  const secrets = new Set<string>();

  function note(value: unknown, isSecret = false): void {
    if (typeof value === 'string') {
      if (isSecret && value.length >= SHORTEST) secrets.add(value);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, one] of Object.entries(value)) note(one, isSecret || SECRET_NAME.test(name));
    }
  }

  return {
    log: {
      write: (line) => {
        lines.push(line);
        if ((JSON.parse(line) as { level: number }).level >= ERROR_LEVEL) process.stderr.write(line);
      },
    },
    note: (value) => note(value),
    assertKept: () => {
      const found = lines.find((line) => [...secrets].some((secret) => line.includes(secret)));
      if (found) throw new Error(`[S05] a secret stands in the log: ${found}`);
    },
  };
}
