import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  cancelRulePreview,
  listRulePreviews,
  type PreviewResult,
  type RulePreview,
  readPreviewSamples,
  readRulePreview,
  startRulePreview,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { PreviewPage } from './preview-page.tsx';
import { PreviewSection } from './preview-section.tsx';
import { RetroHuntButton } from './retro-hunt-button.tsx';

const T = Date.UTC(2026, 2, 4);
const DAY = 86_400_000;
const engineer = sampleAccess({ role: 'Security Engineer' });
const analyst = sampleAccess({ role: 'Security Analyst' });

const rule = {
  ...{ rule_id: 'sigma-1', title: 'Whoami', is_gone: false, error: null, covered_until: T + 2 * DAY },
  ...{ rows: 1_234, signals: 20, first_hit: T, last_hit: T + DAY },
};
const result: PreviewResult = {
  ...rule,
  ...{ state: 'done', kql: 'ProcessEvent\n| where CommandLine has "whoami"', score: 7, uses_now: false },
  days: [
    { from: T, to: T + DAY, rows: 1_200, signals: 15 },
    { from: T + DAY, to: T + 2 * DAY, rows: 34, signals: 5 },
  ],
  entities: [{ type: 'user', value: 'ana', signals: 12 }],
  overlaps: [{ ID: 'sigma-2', name: 'Another rule', signals: 9, on_events: 4, share: 0.45 }],
  overlaps_cut: false,
  found: [
    {
      ...{ name: 'Whoami', occurrences: 3, first_time: T, last_time: T + 1_000 },
      ...{ suspects: [{ type: 'user', value: 'ana' }], targets: [{ type: 'host', value: 'pc-1' }] },
    },
  ],
  samples: 2,
  ...{ query_ms_day: 250, cpu_ms_day: 1_200, cpu_share: 0.0001 },
};
const base: RulePreview = {
  ...{ preview_id: 'p1', kind: 'preview', state: 'done', start: T, end: T + 2 * DAY, done: 2, total: 2 },
  ...{ error: null, author: 'Ana', created: T, ended: T },
  rules: [{ ...rule, state: 'done' }],
  result,
};
let preview: RulePreview;
let calls: ReturnType<typeof stubCalls>;

beforeEach(() => {
  preview = base;
  calls = stubCalls([
    [readRulePreview, () => preview],
    [listRulePreviews, () => ({ data: [], total_count: 0, earliest: T })],
    [startRulePreview, () => ({ preview_id: 'p2', skipped: 0 })],
    [cancelRulePreview, () => ({ preview_id: 'p1' })],
    [
      readPreviewSamples,
      () => ({
        ...{ kql: 'Events | where EventUid in (guid(x))', start: T, end: T + DAY },
        fields_list: ['EventUid', 'CommandLine'],
        data: [{ EventUid: 'x', CommandLine: 'whoami /all' }],
      }),
    ],
  ]);
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

const show = (access = engineer) =>
  renderScreen(<PreviewPage />, { access, route: '/rules/previews/:previewId', url: '/rules/previews/p1' });
const inputs = (name: string) => calls.seen.filter((one) => one.name === name).map(({ input }) => input);

describe('the page of a preview', () => {
  it('[T-RULE-PREVIEW] shows signals a day, entities, overlap, cost, and events when they are asked for', async () => {
    await show(analyst);
    const found = await screen.findByRole('region', { name: 'What it would have raised' });
    for (const text of ['20 · 10 a day', '1,234', '0.25 sec', /0.01% of the limit of 15 min/])
      expect(within(found).getByText(text)).toBeTruthy();
    expect(within(found).getByRole('img').getAttribute('aria-label')).toBe('2026-03-04: 15, 2026-03-05: 5');
    const other = within(screen.getByRole('table', { name: 'Overlap with other rules' }));
    expect(other.getByRole('row', { name: /Another rule 9 4 45%/ })).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Top entities' }).textContent).toContain('ana');
    expect(screen.getByRole('link', { name: 'Open all in Find' }).getAttribute('href')).toContain('whoami');
    expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull();
    expect(inputs('rulePreviews.readSamples')).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Show sample events' }));
    expect(await screen.findByText('whoami /all')).toBeTruthy();
  });

  it('[T-RULE-PREVIEW] tells how far one is that runs, stops it, and says why a noisy rule was stopped', async () => {
    preview = { ...base, state: 'running', done: 1, ended: null, result: { ...result, state: 'running' } };
    await show();
    expect(await screen.findByText('1 of 2 days of data looked at')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    await waitFor(() => expect(inputs('rulePreviews.cancel')).toMatchObject([{ preview_id: 'p1' }]));
    preview = { ...base, state: 'canceled', result: { ...result, state: 'too-noisy' } };
    expect(
      await screen.findByText(/What was found up to then is shown/, {}, { timeout: 5_000 }),
    ).toBeTruthy();
    expect(screen.getByText(/found more than anybody could look at/)).toBeTruthy();
  });

  it('[T-RETRO-HUNT] lists several rules, and shows the one that is chosen', async () => {
    const second = { ...rule, rule_id: 'sigma-2', title: 'Nothing', signals: 0, rows: 0, first_hit: null };
    preview = {
      ...base,
      kind: 'retro-hunt',
      rules: [...base.rules, { ...second, state: 'done', last_hit: null }],
      result: null,
    };
    const { router } = await show();
    await screen.findByRole('heading', { name: 'Retro-hunt with 2 rules' });
    fireEvent.click(screen.getByRole('button', { name: 'Whoami' }));
    expect(router.state.location.search).toBe('?rule=sigma-1');
    await waitFor(() => expect(inputs('rulePreviews.read').at(-1)).toMatchObject({ rule_id: 'sigma-1' }));
  });
});

describe('starting', () => {
  it('[T-RULE-PREVIEW] a preview asks for the last seven days; analysts see those that were', async () => {
    const { router } = await renderScreen(<PreviewSection ruleId="sigma-1" />, { access: engineer });
    fireEvent.click(await screen.findByRole('button', { name: 'Start preview' }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/\/rules\/previews\/p2$/));
    const [input] = inputs('rulePreviews.begin') as { start: number; end: number; rule_ids: string[] }[];
    expect(input?.rule_ids).toEqual(['sigma-1']);
    expect((input?.end ?? 0) - (input?.start ?? 0)).toBe(7 * DAY);
    cleanup();
    await renderScreen(<PreviewSection ruleId="sigma-1" />, { access: analyst });
    expect(screen.queryByRole('button', { name: 'Start preview' })).toBeNull();
  });

  it('[T-RETRO-HUNT] a retro-hunt takes rules that are selected, up to fifty', async () => {
    const many = Array.from({ length: 51 }, (_, at) => `sigma-${at}`);
    await renderScreen(<RetroHuntButton ruleIds={many} />, { access: engineer });
    expect((screen.getByRole('button', { name: 'Retro-hunt' }) as HTMLButtonElement).disabled).toBe(true);
    cleanup();
    await renderScreen(<RetroHuntButton ruleIds={['sigma-1', 'sigma-2']} />, { access: engineer });
    fireEvent.click(screen.getByRole('button', { name: 'Retro-hunt' }));
    const dialog = await screen.findByRole('dialog', { name: 'Retro-hunt with 2 rules' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Start retro-hunt' }));
    await waitFor(() =>
      expect(inputs('rulePreviews.begin')).toMatchObject([
        { kind: 'retro-hunt', rule_ids: ['sigma-1', 'sigma-2'] },
      ]),
    );
  });
});
