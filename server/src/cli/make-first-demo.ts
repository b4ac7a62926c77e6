import type { DemoService } from '../features/demo/demo-service.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';

const MARK = 'demo-offered';

/**
 * Makes the demo company on a platform that never had a tenant, and answers lines that tell its users. It is made
 * once: whoever removes it does not meet it again at the next start.
 */
export async function makeFirstDemo(
  postgres: Postgres,
  demo: DemoService,
  tenants: number,
): Promise<string[]> {
  const offered = await postgres.platform
    .insertInto('platform_setting')
    .values({ name: MARK, value: JSON.stringify(tenants === 0) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  if (Number(offered.numInsertedOrUpdatedRows ?? 0) === 0 || tenants > 0) return [];
  if ((await demo.status()).state !== 'absent') return [];
  try {
    const accounts = await demo.add();
    const width = Math.max(...accounts.map((account) => account.role.length));
    const mail = Math.max(...accounts.map((account) => account.email.length));
    return [
      'The demo company is being filled with a day of events; its users, told this once:',
      ...accounts.map(
        ({ role, email, password }) => `  ${role.padEnd(width)}  ${email.padEnd(mail)}  ${password}`,
      ),
    ];
  } catch (error) {
    // So that the next start tries again.
    await postgres.platform.deleteFrom('platform_setting').where('name', '=', MARK).execute();
    throw error;
  }
}
