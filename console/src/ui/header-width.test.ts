import { describe, expect, it } from 'vitest';
import { headerWidth } from './header-width.ts';

describe('the width that a heading needs', () => {
  it('is more for longer words, for Chinese letters, and for the arrow of a sortable column', () => {
    expect(headerWidth('Оценка', true)).toBeGreaterThan(headerWidth('Score', true));
    expect(headerWidth('分数', false)).toBeGreaterThan(headerWidth('il', false));
    expect(headerWidth('Status', true) - headerWidth('Status', false)).toBe(16);
  });

  it('leaves room for the text as the browser draws it', () => {
    // What Inter and Noto Sans SC draw at 12 px and a weight of 500, in px, between two margins of 10 px.
    const drawn = {
      Оценка: 47.5,
      'Последний раз': 94.4,
      Предупреждение: 111.8,
      Confiance: 58.9,
      置信度: 36.1,
    };
    for (const [title, width] of Object.entries(drawn))
      expect([title, headerWidth(title, false)]).toEqual([
        title,
        expect.toSatisfy((px: number) => px >= width + 20),
      ]);
  });
});
