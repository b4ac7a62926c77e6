import i18next from 'i18next';

/** Something of the catalog, with its English. */
export interface Described {
  readonly name: string;
  readonly description: string;
}

/** What a column or a stream is, in one language; the English of the catalog where that has no text. */
export function catalogText(
  language: string,
  part: 'columns' | 'streams',
  { name, description }: Described,
): string {
  const text: unknown = i18next.getResource(language, 'catalog', `${part}.${name}`);
  return typeof text === 'string' ? text : description;
}
