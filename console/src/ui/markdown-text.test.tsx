import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderScreen } from '../testing/render-screen.tsx';
import { MarkdownText } from './markdown-text.tsx';

afterEach(cleanup);

const show = (text: string, links: 'live' | 'guarded' = 'guarded') =>
  renderScreen(<MarkdownText text={text} links={links} />);

describe('Markdown in notes and knowledge bases', () => {
  it('[R-C25] shows headings, emphasis, lists, tables and code', async () => {
    await show('## Findings\n\n- **bold** and `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |');
    expect(screen.getByRole('heading', { name: 'Findings' })).toBeTruthy();
    expect(screen.getByText('bold').tagName).toBe('STRONG');
    expect(screen.getByText('code').tagName).toBe('CODE');
    expect(screen.getByRole('cell', { name: '2' })).toBeTruthy();
  });

  it('[R-C25] makes no link to a foreign host of what anybody may have pasted', async () => {
    await show(
      'see https://evil.example/a`, [our wiki](https://evil.example/b), www.evil.example and ![logo](https://evil.example/c.png)',
    );
    expect(screen.queryAllByRole('link')).toEqual([]);
    expect(document.querySelector('img')).toBeNull();
    expect(document.body.textContent).not.toMatch(/evil\.example/);
    expect(screen.getByRole('button', { name: 'hxxps://evil[.]example/b' })).toBeTruthy();
    expect(document.body.textContent).toContain('our wiki');
  });

  it('[R-C25] opens a foreign address in a new tab after it was read once more', async () => {
    await show('see https://example.org/runbook');
    fireEvent.click(screen.getByRole('button', { name: 'hxxps://example[.]org/runbook' }));
    const link = within(await screen.findByRole('dialog')).getByRole('link', { name: 'Open in a new tab' });
    expect(link.getAttribute('href')).toBe('https://example.org/runbook');
    expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer nofollow',
    ]);
  });

  it.each([
    ['from http://evil.example/a`', 'hxxp://evil[.]example/a', 'from hxxp://evil[.]example/a`'],
    ['“http://evil.example/a”', 'hxxp://evil[.]example/a', '“hxxp://evil[.]example/a”'],
  ])('[R-C25] takes the quote that ends %s for no part of the address', async (text, address, shown) => {
    await renderScreen(<MarkdownText text={text} links="guarded" />);
    expect(screen.getByRole('button', { name: address })).toBeTruthy();
    expect(screen.getByRole('button', { name: address }).closest('p')?.textContent).toBe(shown);
  });

  it('[R-C25] links to this console itself', async () => {
    await show(`see ${window.location.origin}/#/c1/s1/incident/cases`);
    expect(screen.getByRole('link').getAttribute('target')).toBe('_blank');
  });

  it.each(['<img src=x onerror=alert(1)>', '<script>alert(1)</script>', 'Seen by <me>'])(
    '[R-C25] shows %s as text, as it was typed',
    async (text) => {
      await show(text);
      expect(document.body.textContent).toContain(text);
      expect(document.querySelector('img, script')).toBeNull();
    },
  );

  it.each(['[x](javascript:alert(1))', '[x](data:text/html,1)', '[x](//evil.example)'])(
    'makes nothing of %s',
    async (text) => {
      for (const links of ['live', 'guarded'] as const) {
        await show(text, links);
        expect(screen.queryByRole('link')).toBeNull();
        cleanup();
      }
    },
  );

  it('[R-C25] keeps paths and lines as they were typed', async () => {
    await show('\\\\10.0.0.1\\c$ and C:\\Users\\*\\a_b_c\n    second line');
    const text = screen.getByText(/10\.0\.0\.1/).textContent;
    expect(text).toContain('\\\\10.0.0.1\\c$ and C:\\Users\\*\\a_b_c');
    expect(text).toContain('\nsecond line');
  });

  it('opens the links of a knowledge base in a new tab', async () => {
    await show('[ATT&CK](https://attack.example/T1003)', 'live');
    const link = screen.getByRole('link', { name: 'ATT&CK' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([
      'https://attack.example/T1003',
      '_blank',
    ]);
  });

  it('[R-C34] makes what is looked for stand out, in texts but not in code', async () => {
    const marked = (text: string) =>
      [...text.matchAll(/@Ada/g)].map(({ index }) => ({ start: index, end: index + 4 }));
    await renderScreen(
      <MarkdownText text="ask **@Ada now**, @Ada; `@Ada`" links="guarded" marked={marked} />,
    );
    expect(screen.getAllByText('@Ada').map((one) => one.tagName)).toEqual(['MARK', 'MARK', 'CODE']);
    expect(document.body.textContent).toContain('ask @Ada now, @Ada; @Ada');
  });
});
