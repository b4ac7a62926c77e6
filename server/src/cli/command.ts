// A command of the command line. Each stands in a file of its own and is named in command-table.ts.

interface CommandContext {
  /** What follows the command's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What `tyrian <name> --help` prints. */
  readonly usage: string;
  /** Resolves with the exit code. Throws UsageError for wrong arguments. */
  readonly run: (context: CommandContext) => Promise<number>;
}

/** A mistake on the command line; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
