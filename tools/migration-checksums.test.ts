import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CHECKSUMS, listedChecksums, migrationProblems } from './migration-checksums.mjs';

const SUM_OF_A = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
const LIST = `${SUM_OF_A}  postgres/0001_first.sql\n`;

it('a migration stays as it is once it is listed', () => {
  expect(migrationProblems([['db/postgres/0001_first.sql', 'a']], LIST)).toEqual([]);
  expect(migrationProblems([['db/postgres/0001_first.sql', 'b']], LIST)).toEqual([
    'db/postgres/0001_first.sql: has changed; migrations are append-only, add a new file',
  ]);
  expect(migrationProblems([], LIST)).toEqual([
    'db/postgres/0001_first.sql: is gone; migrations are append-only',
  ]);
});

it('a new migration is told with the line that lists it', () => {
  const [problem] = migrationProblems([['db/clickhouse/0009_new.sql', 'a']], '');
  expect(problem).toContain(`append to ${CHECKSUMS}: ${SUM_OF_A}  clickhouse/0009_new.sql`);
});

it('the first line of both stores stands in the list', () => {
  const names = [...listedChecksums(readFileSync(CHECKSUMS, 'utf8')).keys()];
  expect(names).toContain('db/postgres/0001_platform.sql');
  expect(names).toContain('db/clickhouse/0001_events.sql');
});
