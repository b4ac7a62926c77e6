import { cleanup, screen } from '@testing-library/react';
import { type CaseHistoryEntry, caseHistory, caseInfo } from '@tyrian/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { activateLocale } from '../../lib/i18n.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { CaseHistoryList } from './case-history-list.tsx';
import { useCase } from './case-queries.ts';

afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  await activateLocale('en-US');
});

const CLOSED: CaseHistoryEntry = {
  cnam_time: Date.UTC(2026, 2, 4, 15, 5),
  author: 'Ann',
  action: 'status',
  from: 'IN-PROGRESS',
  to: 'CLOSED',
  resolution: 'false_positive',
  note: 'our &lt;scanner&gt;',
};

function History() {
  return <CaseHistoryList query={useCase('k1').history} />;
}

it.each([
  ['en-US', 'Status: In progress → Closed (False positive)'],
  ['fr-FR', 'Statut : En cours → Clos (Faux positif)'],
  ['ru-RU', 'Статус: В работе → Закрыт (Ложное срабатывание)'],
  ['zh-CN', '状态：处理中 → 已关闭 (误报)'],
] as const)(
  '[R-C23] the history of a case says in %s how it was closed, and what was noted',
  async (locale, text) => {
    stubCalls([
      [caseInfo, () => ({})],
      [caseHistory, () => ({ data: [CLOSED], total_count: 1 })],
    ]);
    await renderScreen(<History />, { access: sampleAccess({ role: 'Security Analyst' }) });
    await activateLocale(locale);
    expect((await screen.findByText(text)).nextSibling?.textContent).toBe('our <scanner>');
  },
);
