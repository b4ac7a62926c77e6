import { accessDetails } from '@tyrian/contract';
import { describe, expect, inject, it } from 'vitest';
import { openVisit } from './visitor.ts';

describe('the reference of the calls', () => {
  it('lists every call, and tries one with a session', async () => {
    const { address } = inject('journeyServer');
    const visit = await openVisit();
    const { page } = visit;
    await page.goto(`${address}/reference`);
    const described = (await (await fetch(`${address}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { tags: string[] }>>;
    };
    const tags = Object.values(described.paths).flatMap((one) =>
      Object.values(one).flatMap(({ tags }) => tags),
    );
    await page.locator('.opblock-tag').first().waitFor();
    expect(await page.locator('.opblock-tag').count()).toBe(new Set(tags).size);
    await page.locator('.opblock-tag[data-tag="account"]').click();
    const call = page.locator('.opblock', { hasText: accessDetails.path });
    await call.locator('.opblock-summary-control').click();
    await call.getByRole('button', { name: 'Try it out' }).click();
    const answered = page.waitForResponse((answer) => answer.url().endsWith(accessDetails.path));
    await call.getByRole('button', { name: 'Execute' }).click();
    expect((await answered).status()).toBe(401);
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});
