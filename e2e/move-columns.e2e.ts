import { describe, expect, it } from 'vitest';
import { takeTurns } from './journey-turns.ts';
import { goTo, visitAs } from './visitor.ts';

takeTurns('the line above every page');

const PATIENCE_MS = 300_000;

const QUERY = 'Events | project TimeGenerated, Stream, SourceName, EventType | take 20';

describe('the columns of Find', () => {
  it(
    'are moved by dragging and by key, resized, and stand so in the link; the value menu gives the focus back',
    async () => {
      const visit = await visitAs('Security analyst');
      const { page } = visit;
      await goTo(page, `/workbook/new?from=now-24h&to=now&query=${encodeURIComponent(QUERY)}`);
      const grid = page.getByTestId('result-grid');
      await grid.getByRole('row').nth(3).waitFor();
      const untilHeads = (...names: readonly string[]) =>
        page.waitForFunction((wanted) => {
          const heads = document.querySelectorAll('[data-testid="result-grid"] [data-column]');
          return [...heads].map((head) => head.getAttribute('data-column')).join() === wanted;
        }, names.join());
      const linked = (name: string) => new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get(name);
      await untilHeads('TimeGenerated', 'Stream', 'SourceName', 'EventType');

      const from = await grid.locator('[data-column="EventType"]').boundingBox();
      const to = await grid.locator('[data-column="Stream"]').boundingBox();
      if (!from || !to) throw new Error('the heads cannot be seen');
      await page.mouse.move(from.x + 20, from.y + 10);
      await page.mouse.down();
      await page.mouse.move(to.x + 60, to.y + 10, { steps: 5 });
      await page.mouse.move(to.x + 4, to.y + 10, { steps: 3 });
      await page.mouse.up();
      await untilHeads('TimeGenerated', 'EventType', 'Stream', 'SourceName');
      // The drag has sorted nothing.
      expect(linked('sort')).toBeNull();

      await grid.locator('[data-column="EventType"]').focus();
      await page.keyboard.press('Alt+ArrowRight');
      await page.waitForFunction(() => document.activeElement?.getAttribute('data-column') === 'EventType');
      await untilHeads('TimeGenerated', 'Stream', 'EventType', 'SourceName');

      const edge = grid.getByRole('separator').first();
      const before = Number(await edge.getAttribute('aria-valuenow'));
      await edge.focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForURL((url) => url.hash.includes('widths='));
      expect(linked('widths')).toBe(`TimeGenerated:${before + 16}`);
      await page.reload();
      await grid.getByRole('row').nth(3).waitFor();
      await untilHeads('TimeGenerated', 'Stream', 'EventType', 'SourceName');
      expect(Number(await edge.getAttribute('aria-valuenow'))).toBe(before + 16);

      await grid.focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('m');
      await page.getByRole('menuitem').first().waitFor();
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => document.activeElement?.getAttribute('data-testid') === 'result-grid');
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
    PATIENCE_MS,
  );
});
