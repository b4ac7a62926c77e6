// A migration of db/clickhouse as units that run one after the other. Comments that begin with `@` steer:
//
//   -- @steps                        each unit is noted when done, and a migration that was ended goes on behind it
//   -- @each partition of TABLE      what follows up to `-- @end` runs for each partition, which it names {partition}

export interface MigrationUnit {
  readonly statements: readonly string[];
  /** The table whose partitions it runs for; null: it runs once. */
  readonly eachPartitionOf: string | null;
}

export interface MigrationSteps {
  readonly isNoted: boolean;
  readonly units: readonly MigrationUnit[];
}

const LOOP = /^--\s*@each partition of (\w+)\s*$/;

/** A `;` at the end of a line ends a statement. */
export function readMigrationSteps(text: string): MigrationSteps {
  const units: MigrationUnit[] = [];
  let isNoted = false;
  let loop: { readonly table: string; readonly statements: string[] } | null = null;
  let open: string[] = [];
  for (const line of text.split('\n')) {
    const table = LOOP.exec(line.trim())?.[1];
    if (/^--\s*@steps\s*$/.test(line.trim())) isNoted = true;
    else if (table !== undefined) loop = { table, statements: [] };
    else if (/^--\s*@end\s*$/.test(line.trim())) {
      if (loop !== null) units.push({ statements: loop.statements, eachPartitionOf: loop.table });
      loop = null;
    }
    if (line.trim().startsWith('--') || (open.length === 0 && line.trim() === '')) continue;
    open.push(line);
    if (!line.trimEnd().endsWith(';')) continue;
    const statement = open.join('\n').trim().replace(/;$/, '');
    if (loop !== null) loop.statements.push(statement);
    else units.push({ statements: [statement], eachPartitionOf: null });
    open = [];
  }
  if (open.join('').trim() !== '')
    units.push({ statements: [open.join('\n').trim()], eachPartitionOf: null });
  return { isNoted, units };
}
