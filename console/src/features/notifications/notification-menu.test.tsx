import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  clearNotifications,
  listNotificationSwitches,
  listNotifications,
  NOTIFICATION_KINDS,
  type Notification,
  readNotifications,
  setNotificationSwitch,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '../../lib/notify.ts';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../testing/stub-calls.ts';
import { forgetNews, takeNews } from '../live/public.ts';
import { NotificationMenu } from './notification-menu.tsx';
import { NotificationSection } from './notification-section.tsx';

const access = sampleAccess({ role: 'Security Engineer' });
const one = (notification_id: string, more: Partial<Notification> = {}): Notification => ({
  notification_id,
  kind: 'case_assigned',
  clusterId: 'c1',
  cluster_name: 'Cluster c1',
  scope_id: 's1',
  scope_name: 'Scope s1',
  object_id: 'k1',
  count: 1,
  details: { name: 'Odd sign-in', case_key: 'CASE-1' },
  actor: 'Bo',
  created: 1_772_636_829_000,
  read: false,
  ...more,
});

let rows: Notification[];
let refused: boolean;
let calls: ReturnType<typeof stubCalls>;
beforeEach(() => {
  forgetNews();
  refused = false;
  rows = [
    one('n3', {
      kind: 'critical_signal',
      object_id: 's7',
      actor: null,
      count: 4,
      details: { name: 'DCSync from pc-1', score: 9, workbook_name: 'DCSync by non-DC account' },
    }),
    one('n2'),
    one('n1', { kind: 'case_mention', read: true, scope_id: 's2', scope_name: 'Scope s2' }),
  ];
  calls = stubCalls([
    [
      listNotifications,
      () =>
        refused
          ? new Refusal(503, 'failed', 'the engine is away')
          : { data: rows, unread: rows.filter((row) => !row.read).length },
    ],
    [
      readNotifications,
      ({ notification_ids: ids }) => {
        rows = rows.map((row) =>
          ids === undefined || (ids as string[]).includes(row.notification_id) ? { ...row, read: true } : row,
        );
        return { changed: 1 };
      },
    ],
    [
      clearNotifications,
      () => {
        rows = [];
        return { changed: 3 };
      },
    ],
    [
      listNotificationSwitches,
      () => ({
        data: NOTIFICATION_KINDS.map((kind) => ({ kind, in_console: true, by_mail: false })),
        mail_is_set_up: true,
        mails_per_hour: 5,
      }),
    ],
    [setNotificationSwitch, () => ({})],
  ]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  clearStored();
});

const hear = (unread: number, newest = 1) =>
  act(() =>
    takeNews(
      'u1 c1 s1',
      { cursor: '1', unread, newest, signal_ids: [], case_changes: [], has_more: false },
      'u1',
    ),
  );
const bell = (name = 'Notifications') => screen.getByRole('button', { name });
const open = async () => {
  const view = await renderScreen(<NotificationMenu />, { access });
  fireEvent.click(bell());
  await screen.findByText(/DCSync/);
  return view;
};
const asked = (name: string) => calls.seen.filter((call) => call.name === name);

describe('[R-C34] the bell', () => {
  it('counts what is unread, and reads nothing before it is opened', async () => {
    await renderScreen(<NotificationMenu />, { access });
    hear(2);
    expect(bell('Notifications, 2 unread')).toBeTruthy();
    expect(screen.getByText('2')).toBeTruthy();
    expect(calls.seen).toEqual([]);
    hear(120);
    expect(screen.getByText('99+')).toBeTruthy();
  });

  it('lists each with the way to its object; going there marks it read', async () => {
    const { router } = await open();
    const links = screen.getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/c1/s1/incident/signals?from=now-7d&to=now&workbook_name=DCSync+by+non-DC+account&signal=s7',
      '/c1/s1/incident/cases/k1',
      '/c1/s2/incident/cases/k1?notes=open',
    ]);
    expect(links[0]?.textContent).toContain('4 critical signals from DCSync by non-DC account');
    expect(links[1]?.textContent).toContain('Bo assigned CASE-1 to you: Odd sign-in');
    expect(links[1]?.textContent).not.toContain('Scope s1');
    expect(links[2]?.textContent).toContain('Scope s2');
    // Opening alone marks nothing.
    expect(asked(readNotifications.name)).toHaveLength(0);
    fireEvent.click(links[1] as HTMLElement);
    await waitFor(() =>
      expect(asked(readNotifications.name)[0]?.input).toEqual({ notification_ids: ['n2'] }),
    );
    expect(router.state.location.pathname).toBe('/c1/s1/incident/cases/k1');
  });

  it('marks one, marks all, clears all, and says when there is none', async () => {
    await open();
    fireEvent.click(screen.getAllByRole('button', { name: 'Mark as read' })[0] as HTMLElement);
    await waitFor(() => expect(bell('Notifications, 1 unread')).toBeTruthy());
    fireEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(asked(readNotifications.name).at(-1)?.input).toEqual({}));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Clear all' }));
    expect(await screen.findByText('No notifications')).toBeTruthy();
  });

  it('opens by `g b` and moves by arrow keys', async () => {
    await renderScreen(<NotificationMenu />, { access });
    fireEvent.keyDown(document.body, { key: 'g' });
    fireEvent.keyDown(document.body, { key: 'b' });
    await screen.findByText(/DCSync/);
    const links = screen.getAllByRole('link');
    links[0]?.focus();
    fireEvent.keyDown(links[0] as HTMLElement, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(links[1]);
    fireEvent.keyDown(links[1] as HTMLElement, { key: 'ArrowUp' });
    expect(document.activeElement).toBe(links[0]);
  });

  it('what comes while it is open is listed', async () => {
    await open();
    rows = [one('n9', { kind: 'source_silent', actor: null, details: { name: 'mail-gateway' } }), ...rows];
    hear(3, 99);
    expect(await screen.findByText(/Source stopped sending: mail-gateway/)).toBeTruthy();
  });

  it("keeps the user's own toasts apart", async () => {
    await open();
    act(() => notify('done', '2 cases closed'));
    const list = screen.getByRole('dialog');
    expect(within(list).queryByText('2 cases closed')).toBeNull();
    fireEvent.click(screen.getByRole('tab', { name: 'Recent messages' }));
    expect(within(list).getByText('2 cases closed')).toBeTruthy();
    expect(bell('Notifications, 2 unread')).toBeTruthy();
  });

  it('says so when the list cannot be read, and tries again', async () => {
    refused = true;
    await renderScreen(<NotificationMenu />, { access });
    fireEvent.click(bell());
    expect(await screen.findByText('Notifications could not be loaded')).toBeTruthy();
    refused = false;
    fireEvent.click(screen.getByRole('button', { name: /again|retry/i }));
    expect(await screen.findByText(/DCSync/)).toBeTruthy();
  });

  it('leads to the switches, which stand in the settings', async () => {
    const { router } = await open();
    fireEvent.click(screen.getByRole('button', { name: 'Notification settings' }));
    expect(router.state.location).toMatchObject({ pathname: '/c1/s1/settings', hash: '#notifications' });
    cleanup();
    await renderScreen(<NotificationSection />, { access, url: '/c1/s1/settings#notifications' });
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Notifications' }));
    const mail = await screen.findByRole('switch', { name: 'Mentions: Email' });
    expect(screen.getAllByRole('switch')).toHaveLength(NOTIFICATION_KINDS.length * 2);
    expect(screen.getByText(/At most 5 emails per hour/)).toBeTruthy();
    fireEvent.click(mail);
    await waitFor(() =>
      expect(asked(setNotificationSwitch.name)[0]?.input).toEqual({
        kind: 'case_mention',
        in_console: true,
        by_mail: true,
      }),
    );
  });
});
