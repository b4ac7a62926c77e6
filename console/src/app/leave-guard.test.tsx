import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createHashRouter, Link, RouterProvider, useLocation } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { discardUnsavedWork } from '../lib/unsaved-work.ts';
import { useDraft } from '../lib/use-draft.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { LeaveGuard } from './leave-guard.tsx';

afterEach(() => {
  cleanup();
  discardUnsavedWork();
});

function Form() {
  const { draft, change } = useDraft({ name: 'stored' });
  const { pathname, search } = useLocation();
  return (
    <>
      <LeaveGuard />
      <p>{`at ${pathname}${search}`}</p>
      <input
        aria-label="Name"
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Link to="/c1/s1/incident/cases">Cases</Link>
      <Link to="?tab=other">Other tab</Link>
      <Link to="?sort=name">Sorted</Link>
    </>
  );
}

const write = (value: string) => fireEvent.change(screen.getByLabelText('Name'), { target: { value } });
const follow = (name: string) => fireEvent.click(screen.getByRole('link', { name }));

describe('leaving a page with unsaved changes', () => {
  it('goes on without a question while nothing is changed, or is as it was again', async () => {
    await renderScreen(<Form />, { url: '/c1/s1/admin/smtp' });
    write('other');
    write('stored');
    follow('Other tab');
    await screen.findByText('at /c1/s1/admin/smtp?tab=other');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('[R-C44] the router has nothing to say of a typed address while nothing is unsaved', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    window.location.hash = '#/first';
    const router = createHashRouter([{ path: '*', element: <Form /> }]);
    render(
      <MantineProvider env="test">
        <RouterProvider router={router} />
      </MantineProvider>,
    );
    await screen.findByText('at /first');
    window.location.hash = '#/second';
    await screen.findByText('at /second');
    expect(warned.mock.calls.flat().filter((text) => /blocker/.test(String(text)))).toEqual([]);
    router.dispose();
    warned.mockRestore();
  });

  it('asks before another page or tab; whoever stays keeps what was typed', async () => {
    await renderScreen(<Form />, { url: '/c1/s1/admin/smtp' });
    write('typed');
    follow('Sorted');
    await screen.findByText('at /c1/s1/admin/smtp?sort=name');
    for (const name of ['Cases', 'Other tab']) {
      follow(name);
      fireEvent.click(await screen.findByRole('button', { name: 'Stay' }));
      await screen.findByText('at /c1/s1/admin/smtp?sort=name');
    }
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('typed');
    follow('Other tab');
    fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
    await screen.findByText('at /c1/s1/admin/smtp?tab=other');
  });
});
