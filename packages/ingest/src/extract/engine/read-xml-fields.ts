import { unescapeXml } from '../../decoders/windows-event-xml.ts';
import type { Fields } from '../../event-row.ts';
import { xmlFault } from '../../record-limits.ts';

// XML of any product as fields: `a.b` is the text of the element b in a, `a.b@c` its attribute c. The root has no part
// in the names. An element that comes again keeps all of its texts, joined by commas.

const MOST_FIELDS = 1_000;
const NAME = /^[A-Za-z_][\w.:-]{0,127}/;
const ATTRIBUTE = /([A-Za-z_][\w.:-]{0,127})\s{0,4}=\s{0,4}(?:"([^"<]*)"|'([^'<]*)')/g;

/** The fields of a text of XML; undefined when it is none. */
export function readXmlFields(text: string): Fields | undefined {
  const start = text.indexOf('<');
  if (start < 0 || xmlFault(text) !== undefined) return undefined;
  const fields: Fields = {};
  const path: string[] = [];
  let count = 0;
  const put = (name: string, value: string) => {
    const clean = unescapeXml(value).trim();
    if (clean === '' || name === '' || count >= MOST_FIELDS) return;
    count += 1;
    const known = fields[name];
    fields[name] = known === undefined ? clean : `${known},${clean}`;
  };
  let isAny = false;
  for (let at = start; at >= 0; ) {
    const end = text.indexOf('>', at);
    if (end < 0) break;
    const tag = text.slice(at + 1, end);
    const next = text.indexOf('<', end);
    if (tag.startsWith('/')) path.pop();
    else if (!tag.startsWith('!') && !tag.startsWith('?')) {
      const name = NAME.exec(tag)?.[0];
      if (name === undefined) return undefined;
      isAny = true;
      path.push(name);
      const full = path.slice(1).join('.');
      for (const [, key = '', quoted, single] of tag.slice(name.length).matchAll(ATTRIBUTE))
        put(`${full}@${key}`.replace(/^@/, ''), quoted ?? single ?? '');
      if (tag.endsWith('/')) path.pop();
      else put(full, text.slice(end + 1, next < 0 ? undefined : next));
    }
    at = next;
  }
  return isAny ? fields : undefined;
}
