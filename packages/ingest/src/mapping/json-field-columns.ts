import { EVENT_COLUMNS, PRODUCT_FIELD_NAMES } from '@tyrian/catalog';
import { OUR_COLUMNS } from './our-columns.ts';

// Fields of JSON that no special decoder knows. First come the names of the catalog and the names by which ECS,
// OCSF, CIM and Sigma know its columns; then names that products use (Zeek, Suricata, Okta, proxies, resolvers).

function catalogNames(): Record<string, string> {
  const table: Record<string, string> = {};
  const columns = EVENT_COLUMNS.filter(({ name }) => !OUR_COLUMNS.has(name));
  const add = (name: string, column: string) => {
    table[name] ??= column;
  };
  for (const { name } of columns) add(name, name);
  for (const { name, aliases } of columns) for (const alias of aliases.ecs ?? []) add(alias, name);
  for (const { name, aliases } of columns) for (const alias of aliases.ocsf ?? []) add(alias, name);
  for (const { name, aliases } of columns) for (const alias of aliases.cim ?? []) add(alias, name);
  for (const { name, aliases } of columns) for (const alias of aliases.sigma ?? []) add(alias, name);
  return table;
}

export const JSON_FIELD_TABLES = [catalogNames(), PRODUCT_FIELD_NAMES] as const;
