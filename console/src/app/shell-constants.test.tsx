import { readFileSync } from 'node:fs';
import path from 'node:path';
import { act, cleanup, screen } from '@testing-library/react';
import { LOCALES } from '@tyrian/contract';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../lib/settings.ts';
import { clearStored } from '../lib/storage.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { NavigationOverlay } from './route-loading.tsx';
import { theme } from './theme.ts';

// Section 9: the widths, colours and timings that style sheets hold, read from the style sheets themselves.

const css = (file: string) => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8');
/** The value of a property in the rule of a selector. */
function ruleValue(text: string, selector: string, property: string): string | undefined {
  const rule = text.slice(text.indexOf(`${selector} {`));
  return new RegExp(`[\\s;{]${property}:\\s*([^;]+);`).exec(rule.slice(0, rule.indexOf('}')))?.[1];
}

afterEach(() => {
  cleanup();
  clearStored();
  vi.useRealTimers();
});

describe('the constants of the shell', () => {
  it('[S9-04][S2-119] drawer 448 px, menu 256 px, collapsed 56 px', () => {
    expect(ruleValue(css('app/tokens.css'), ':root', '--flyout')).toBe('448px');
    expect(ruleValue(css('features/cases/case-notes-panel.module.css'), '.panel', 'width')).toMatch(
      /448px|var\(--flyout\)/,
    );
    const menu = css('app/left-menu.module.css');
    expect(ruleValue(menu, '.menu', 'width')).toBe('256px');
    expect(ruleValue(menu, '.menu[data-collapsed]', 'width')).toBe('56px');
    expect(theme.components?.Drawer?.defaultProps).toMatchObject({ size: 448, position: 'right' });
  });

  it('[S9-07] pages change in 300 ms, and the menus of the top bar open in 300 ms', () => {
    expect(ruleValue(css('app/console-shell.module.css'), '.page', 'animation')).toBe(
      'page-in 300ms ease-out',
    );
    for (const file of ['app/user-menu.tsx', 'app/scope-selects.tsx'])
      expect(css(file)).toContain('TOP_BAR_MENU');
    expect(css('app/top-bar-menu.ts')).toContain('duration: 300');
  });

  it('[S9-07][S4-40] an overlay covers the page while the next one loads, and goes after 3000 ms', async () => {
    await renderScreen(<div />);
    cleanup();
    vi.useFakeTimers();
    const never = () => new Promise<null>(() => undefined);
    const router = createMemoryRouter([
      { path: '/', element: <NavigationOverlay /> },
      { path: '/slow', loader: never, element: null },
    ]);
    const { render } = await import('@testing-library/react');
    const { MantineProvider } = await import('@mantine/core');
    render(
      <MantineProvider env="test">
        <RouterProvider router={router} />
      </MantineProvider>,
    );
    act(() => void router.navigate('/slow'));
    act(() => void vi.advanceTimersByTime(200));
    expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy();
    act(() => void vi.advanceTimersByTime(2790));
    expect(screen.queryByRole('status')).toBeTruthy();
    act(() => void vi.advanceTimersByTime(20));
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('[S9-11] the colours of severity are red, orange, yellow, green and white, in both themes', () => {
    const tokens = css('app/tokens.css');
    for (const scheme of ['dark', 'light']) {
      const selector = `:root[data-mantine-color-scheme="${scheme}"]`;
      const hue = (name: string) => hueOf(ruleValue(tokens, selector, `--severity-${name}`) ?? '');
      expect([hue('critical'), hue('high'), hue('medium'), hue('low'), hue('none')]).toEqual([
        'red',
        'orange',
        'yellow',
        'green',
        'white',
      ]);
    }
    const chip = css('ui/severity-chip.module.css');
    for (const name of ['Critical', 'High', 'Medium', 'Low'])
      expect(ruleValue(chip, `.chip[data-severity="${name}"] .shape`, 'background')).toBe(
        `var(--severity-${name.toLowerCase()})`,
      );
    expect(ruleValue(chip, '\n.shape', 'background')).toBe('var(--severity-none)');
  });

  it('[S3-15][S9-10] the theme is dark, the colour magenta, the menu 256 px, the locale en-US', () => {
    expect(readSettings()).toMatchObject({
      theme: 'dark',
      primaryColor: 'magenta',
      menuWidth: 256,
      locale: 'en-US',
    });
    expect(theme.primaryColor).toBe('magenta');
    expect(hueOf(theme.colors?.magenta?.[6] ?? '')).toBe('magenta');
    expect(LOCALES).toEqual(['en-US', 'fr-FR', 'ru-RU', 'zh-CN']);
  });
});

/** The name of a colour `#rrggbb` by its place on the colour wheel. */
function hueOf(hex: string): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const [high, low] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (high - low < 12) return high > 220 ? 'white' : 'grey';
  const part = (high - low) / 60;
  const turn = high === r ? (g - b) / part : high === g ? 120 + (b - r) / part : 240 + (r - g) / part;
  const degrees = (turn + 360) % 360;
  if (degrees < 15 || degrees > 345) return 'red';
  if (degrees < 42) return 'orange';
  if (degrees < 65) return 'yellow';
  if (degrees < 170) return 'green';
  return degrees > 290 && degrees < 335 ? 'magenta' : 'other';
}
