import { describe, expect, it } from 'vitest';
import { SHIPPED_SNIPPETS, snippetsAt } from './kql-snippets.ts';

const shipped = SHIPPED_SNIPPETS.map(({ name, text }) => ({ name, note: '', text }));
const own = [{ name: 'mine', note: '', text: '| take 5' }];
const names = (text: string) => snippetsAt(text, text.length, [...shipped, ...own]).map(({ name }) => name);

describe('snippets', () => {
  it('are steps behind a pipe and on a line of their own, queries where a statement begins', () => {
    expect(names('Dns | la')).toEqual(expect.arrayContaining(['lately', 'mine']));
    expect(names('Dns | la')).not.toContain('watchlist');
    expect(names('')).toEqual(['watchlist', 'newSince', 'manyThenOne']);
    expect(names('Dns | take 5\n\nwa')).toContain('watchlist');
    expect(names('Dns | where x == ')).toEqual([]);
  });

  it('bring their pipe along where there is none', () => {
    const text = 'Dns\n';
    const [mine] = snippetsAt(text, text.length, own);
    expect(mine?.template).toBe('| take 5');
    expect(snippetsAt('Dns | ', 6, own)[0]?.template).toBe('take 5');
  });
});
