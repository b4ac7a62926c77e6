import { describe, expect, it } from 'vitest';
import { copyRuleText, documentText } from './copy-rule-text.ts';

const OLD = '4a1c9a1e-6c3b-4f5f-9a7e-0f6f5b1f2a3c';
const NEW = '11111111-1111-4111-8111-111111111111';

describe('a rule that is made from another', () => {
  it('[T-own-rules] has an id of its own and says where it comes from', () => {
    expect(copyRuleText(`title: A\nid: ${OLD}\nlevel: low\n`, NEW)).toBe(
      `title: A\nid: ${NEW}\nrelated:\n    - id: ${OLD}\n      type: derived\nlevel: low\n`,
    );
    expect(copyRuleText(`id: ${OLD}\nrelated:\n    - id: x\n      type: similar\n`, NEW)).toBe(
      `id: ${NEW}\nrelated:\n    - id: ${OLD}\n      type: derived\n    - id: x\n      type: similar\n`,
    );
    expect(copyRuleText('title: A\nlevel: low\n', NEW)).toBe(`title: A\nid: ${NEW}\nlevel: low\n`);
  });

  it('[T-own-rules] is the one document of a text that holds several', () => {
    const text = 'title: A\n---\ntitle: B\n';
    const b = { sigma_id: null, title: 'B' };
    expect(documentText(text, b)).toBe('title: B\n');
    expect(documentText('title: A\n', b)).toBe('title: A\n');
    expect(documentText(`action: global\n${text}`, b)).toContain('title: A');
  });
});
