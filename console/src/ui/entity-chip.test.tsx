import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../testing/render-screen.tsx';
import { EntityChip } from './entity-chip.tsx';

afterEach(cleanup);

describe('an entity where room is short', () => {
  it('[R-C19] keeps the name of a file apart from its folders, which give way first', async () => {
    await renderScreen(<EntityChip type="process" value={'C:\\Windows\\System32\\cmd.exe'} />);
    expect(screen.getByText('cmd.exe').previousSibling?.textContent).toBe('C:\\Windows\\System32\\');
    cleanup();
    await renderScreen(<EntityChip type="process" value="/usr/bin/nc" />);
    expect(screen.getByText('nc').previousSibling?.textContent).toBe('/usr/bin/');
  });

  it.each([
    ['192.0.2.17', 'eve'],
    ['2001:db8::17', 'https://example.org/a/b'],
  ])('[R-C19] %s is never cut, %s is where it is too long; both are one piece', async (address, other) => {
    for (const [value, isWhole] of [
      [address, true],
      [other, false],
    ] as const) {
      await renderScreen(<EntityChip type="ip" value={value} onClick={() => undefined} />);
      const chip = screen.getByRole('button', { name: value });
      expect(screen.getByText(value)).toBeTruthy();
      expect(chip.hasAttribute('data-whole')).toBe(isWhole);
    }
  });
});
