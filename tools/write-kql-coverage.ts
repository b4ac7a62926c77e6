// Writes docs/kql-coverage.md from what compiles. With --check it only says whether the page is up to date.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CoverageLine, kqlCoverage } from '../packages/kql/src/index.ts';

const page = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'kql-coverage.md');
const lines = kqlCoverage();

const TITLES: Readonly<Record<CoverageLine['kind'], string>> = {
  operator: 'Tabular operators',
  function: 'Scalar functions',
  aggregation: 'Aggregations',
  'plug-in': 'Plug-ins of evaluate',
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function section(kind: CoverageLine['kind']): string {
  const own = lines.filter((line) => line.kind === kind);
  const works = own.filter((line) => line.status !== 'refused');
  const rows = own.map(
    ({ name, status, remark }) =>
      `| \`${name}\` | ${status === 'deviation' ? 'works, with a deviation' : status === 'exact' ? 'works' : 'refused'} | ${cell(remark)} |`,
  );
  return [
    `## ${TITLES[kind]}`,
    '',
    `${works.length} of ${own.length} work.`,
    '',
    '| name | | |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

const text = `# KQL coverage

Written by \`npm run kql-coverage\` from the compiler itself: every name that the language documents is called once. What
works has the documented meaning, but for the deviations named here; the rules stand in
[kql-semantics.md](kql-semantics.md). What is refused says so by name when a query is read, with a way out; no query is
answered approximately. A test runs each call on the engine.

${(['operator', 'function', 'aggregation', 'plug-in'] as const).map(section).join('\n\n')}
`;

const before = fs.existsSync(page) ? fs.readFileSync(page, 'utf8') : '';
if (process.argv.includes('--check')) {
  if (before !== text) {
    console.error('docs/kql-coverage.md is stale: npm run kql-coverage');
    process.exitCode = 1;
  }
} else {
  fs.writeFileSync(page, text);
  console.log(
    `docs/kql-coverage.md: ${lines.filter((line) => line.status !== 'refused').length} of ${lines.length}`,
  );
}
