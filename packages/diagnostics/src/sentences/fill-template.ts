// Templates of texts: plain text with the names of values in double braces.

/** The names in double braces of a template. */
export type NamesIn<Template> = Template extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The template with `textOf` of each name in its place. A name without a text stays as it stands; texts are not read. */
export function fillTemplate(template: string, textOf: (name: string) => string | undefined): string {
  return template.replace(/\{\{(\w+)\}\}/g, (place, name: string) => textOf(name) ?? place);
}
