// Writes docs/api.md, the list of the calls, from the endpoints themselves. With --check it only says whether the page is
// up to date.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as contract from '../packages/contract/src/index.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const page = path.join(root, 'docs', 'api.md');
const endpoints = (Object.values(contract) as unknown[]).filter(
  (value): value is contract.Endpoint =>
    typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value,
);

/** What calls of our own were named in the audit trail before they had names: `T-job-list`, by today's name. */
const before = new Map(
  fs
    .readFileSync(path.join(root, 'tools/requirements/former-call-names.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').reverse() as [string, string]),
);

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const areas = [...new Set(endpoints.map(({ name }) => name.split('.')[0] ?? ''))].sort();

function section(area: string): string {
  const rows = endpoints
    .filter(({ name }) => name.startsWith(`${area}.`))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({ name, method, path: at, summary, requirement }) =>
        `| \`${name}\` | ${method} \`${at}\` | ${cell(summary)} | ${requirement ?? before.get(name) ?? ''} |`,
    );
  return [`## ${area}`, '', '| name | call | what it does | known as |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
}

const text = `# The calls

Written by \`npm run api-list\` from the endpoints of \`packages/contract\`. \`/openapi.json\` describes each with input, answer
and rights, \`/reference\` tries it; limits stand in [api-limits.md](api-limits.md).

A call is named by area and verb: \`signals.list\`. So it is called as operation id in \`/openapi.json\`, in the log and in the
audit trail. The last column has the requirement that it answers, in [requirements.md](requirements.md), \`C…\`; or, for a
call of our own, \`T-…\`, by which entries of the audit trail from before calls had names know it. Entries stay as they were
written, since they are chained; they carry the summary of the call beside it.

${areas.map(section).join('\n\n')}
`;

if (process.argv.includes('--check')) {
  if (!fs.existsSync(page) || fs.readFileSync(page, 'utf8') !== text) {
    console.error('docs/api.md is stale: npm run api-list');
    process.exitCode = 1;
  }
} else {
  fs.writeFileSync(page, text);
  console.log(`docs/api.md: ${endpoints.length} calls`);
}
