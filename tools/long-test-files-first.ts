import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that take longest, longest first: by their whole servers, or by thousands of calls and queries. */
export const LONG_TEST_FILES: readonly string[] = [
  'server/src/machines.test.ts',
  'server/src/features/search/kql-conformance.test.ts',
  'server/src/features/search/text-index.test.ts',
  'server/src/features/identity/users/hostile-input.test.ts',
  'server/src/features/identity/users/right-matrix.test.ts',
  'server/src/engines/engine-lifecycle.test.ts',
  'server/src/features/ingest/crash-and-retry.test.ts',
  'server/src/features/search/kql-compiler.test.ts',
  'server/src/platform/jobs/job-runner.test.ts',
  'server/src/cli/migrate-command.test.ts',
  'server/src/features/identity/tenants/migrate-tenants.test.ts',
  'server/src/features/identity/users/foreign-ids.test.ts',
  'server/src/features/ingest/accounting.test.ts',
  'server/src/features/demo/demo-service.test.ts',
  'server/src/features/detections/prefilter/fused-property.test.ts',
  'e2e/accessible-pages.e2e.ts',
  'e2e/new-source.e2e.ts',
  'e2e/write-kql.e2e.ts',
  'e2e/change-of-scope.e2e.ts',
  'e2e/import-rules.e2e.ts',
];

/**
 * Within each project, begins with the files that take longest. Begun last, one of them would run on alone while the
 * other workers have nothing left to do.
 */
export default class LongTestFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG_TEST_FILES.indexOf(path.relative(this.ctx.config.root, moduleId));
      return at < 0 ? LONG_TEST_FILES.length : at;
    };
    return projects.flatMap((name) =>
      sorted.filter(({ project }) => project.name === name).sort((a, b) => rank(a) - rank(b)),
    );
  }
}
