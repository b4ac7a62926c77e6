import { expect, it } from 'vitest';
import { ownerOf, tableProblems, tablesIn, tablesMade } from './table-owners.mjs';

const known = new Set(['person', 'rule', 'workbook']);
const migrations = ['create table person (a int);\ncreate table rule (b int);', 'drop table if exists rule;'];

it.each([
  ["db.selectFrom('person').selectAll()", ['person']],
  ["db.selectFrom('person as p').innerJoin('rule as r', 'r.a', 'p.a')", ['person', 'rule']],
  ["db.selectFrom(['person', 'rule'])", ['person', 'rule']],
  ["db.insertInto('rule').values({})", ['rule']],
  ["db.updateTable('rule').set({})", ['rule']],
  ["db.deleteFrom('rule')", ['rule']],
  ['sql`select 1 from rule r join person using (a)`', ['person', 'rule']],
  [`sql<{ one: number }>\`update rule set a = \${b} where exists (select from person)\``, ['person', 'rule']],
  ['sql`insert into workbook select 1`', ['workbook']],
  ["say('from rule')", []],
  ['// select from rule', []],
  ["db.selectFrom('elsewhere')", []],
])('tables that are named in SQL: %s', (text, tables) => {
  expect(tablesIn('some.ts', text, known)).toEqual(tables);
});

it('knows whose SQL a file holds', () => {
  expect(ownerOf('server/src/features/cases/case-store.ts')).toBe('cases');
  expect(ownerOf('server/src/features/identity/users/user-store.ts')).toBe('identity');
  expect(ownerOf('server/src/platform/jobs/job-runs.ts')).toBe('platform');
  expect(ownerOf('server/src/features/cases/case-store.test.ts')).toBeUndefined();
  expect(ownerOf('server/src/platform/jobs/job-runs.test.ts')).toBeUndefined();
  expect(ownerOf('server/src/cli/users-command.ts')).toBeUndefined();
});

it('every table that stands has one owner', () => {
  expect([...tablesMade(migrations)]).toEqual(['person']);
  const renamed = ['alter table person rename to account;\nalter table account rename column a to b;'];
  expect([...tablesMade([...migrations, ...renamed])]).toEqual(['account']);
  expect(tableProblems([], migrations, { identity: ['person'] }, {})).toEqual([]);
  expect(tableProblems([], migrations, {}, {})).toHaveLength(1);
  expect(tableProblems([], migrations, { identity: ['person'], cases: ['person'] }, {})).toHaveLength(1);
  expect(tableProblems([], migrations, { identity: ['person', 'rule'] }, {})).toHaveLength(1);
});

it('a table of another is named only where the list says so, and the list may only shrink', () => {
  const files = [['server/src/features/cases/case-store.ts', "db.selectFrom('person')"]] as const;
  const owners = { identity: ['person'] };
  expect(tableProblems(files, migrations, owners, {})).toHaveLength(1);
  expect(tableProblems(files, migrations, owners, { 'cases person': 'why' })).toEqual([]);
  expect(tableProblems([], migrations, owners, { 'cases person': 'why' })).toHaveLength(1);
  expect(tableProblems(files, migrations, { cases: ['person'] }, {})).toEqual([]);
});
