import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { withDatabase } from '../../engines/testing/start-test-engines.ts';
import { type Company, seedCompany } from '../../features/identity/users/testing/seed-company.ts';
import { createJobRunner } from '../../platform/jobs/job-runner.ts';
import { runCommand } from '../run-command.ts';

let test: TestApp;
let company: Company;
let folder = '';
let env: Record<string, string>;
let runner: ReturnType<typeof createJobRunner>;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  const { postgres, log } = test.platform;
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(postgres.platform);
  env = { TYRIAN_POSTGRES_URL: withDatabase(inject('testEngines').postgresUrl, rows[0]?.name ?? '') };
  const jobs = test.composed.jobs.filter(({ kind }) => kind === 'rule-import');
  runner = createJobRunner({ postgres, log, jobs, options: { pollMs: 200 } });
  await runner.start();
  folder = await mkdtemp(path.join(tmpdir(), 'tyrian-sigma-import-'));
});
afterAll(async () => {
  await runner?.stop();
  await test?.close();
  await rm(folder, { recursive: true, force: true });
});

async function tyrian(...args: string[]): Promise<string> {
  let said = '';
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
  try {
    expect(await runCommand(args, env)).toBe(0);
  } finally {
    out.mockRestore();
  }
  return said;
}

it('[T-rules] a folder is imported from the command line by the job, and the report is printed', async () => {
  const rule = `title: R\nlogsource: {product: linux}\ntags: [attack.execution]\ndetection:\n  s: ['x']\n  condition: s\n`;
  await writeFile(path.join(folder, 'good.yml'), rule);
  await writeFile(path.join(folder, 'bad.yaml'), 'title: "');
  const { clusterId, scope } = company.a;
  const place = ['--tenant', clusterId, '--scope', scope, '--pack', 'Ours'];
  const first = await tyrian('sigma', 'import', folder, ...place);
  expect(first).toContain('Ours: 2 rules');
  expect(first).toMatch(/1 {2}missing source\n/);
  expect(first).toMatch(/1 {2}invalid\n/);
  expect(first).toMatch(/by tactic\n +1 {2}execution/);
  expect(first).toMatch(/by log source\n +1 {2}linux/);
  expect(first).toMatch(/2 {2}new\n/);
  const again = await tyrian('sigma', 'import', folder, ...place);
  expect(again).toMatch(/0 {2}new\n/);
});
