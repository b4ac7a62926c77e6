// The text of a rule that is made from another one: an id of its own, and a line that says where it comes from.

const ID = /^id:[ \t]*['"]?([0-9a-f-]{36})['"]?[ \t]*\r?$/im;

/** The copy; `newId` is its own id. A text without id gets one behind its title. */
export function copyRuleText(text: string, newId: string): string {
  const original = ID.exec(text)?.[1];
  if (original === undefined) return text.replace(/^(title:.*)$/m, `$1\nid: ${newId}`);
  const related = `    - id: ${original}\n      type: derived`;
  const copy = text.replace(ID, `id: ${newId}`);
  if (/^related:[ \t]*\r?$/m.test(copy)) return copy.replace(/^(related:[ \t]*\r?)$/m, `$1\n${related}`);
  return copy.replace(/^(id:.*)$/m, `$1\nrelated:\n${related}`);
}

/** The part of a text that holds a rule; a text whose documents refer to each other stays whole. */
export function documentText(
  text: string,
  rule: { readonly sigma_id: string | null; readonly title: string },
): string {
  const parts = text.split(/^---[ \t]*\r?\n/m).filter((part) => part.trim() !== '');
  if (parts.length < 2 || /^action:/m.test(text)) return text;
  const { sigma_id, title } = rule;
  const found =
    parts.find((part) => sigma_id !== null && part.includes(sigma_id)) ??
    parts.find((part) => part.includes(title));
  return found ?? text;
}
