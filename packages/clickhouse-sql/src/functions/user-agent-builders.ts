import { ownText, type Sql, sql } from '../sql.ts';
import { arg, type Builder, constantText } from './builder.ts';
import { named } from './series-sql.ts';

// What a user agent says of its browser, system and device, out of dictionaries of regular expressions that the server
// loads. The first pattern that fits gives every attribute; where none does the family is Other and the rest is empty.

/** A dictionary of patterns: its name, and its attributes with the names that they have in a bag. */
export interface UserAgentDictionary {
  readonly name: string;
  readonly bag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The dictionaries that `parse_user_agent` reads, by what it is told to look for. */
export const USER_AGENT_DICTIONARIES = {
  browser: {
    name: 'tyrian_reference.user_agent_browser',
    bag: 'Browser',
    attributes: { family: 'Family', major: 'MajorVersion', minor: 'MinorVersion', patch: 'Patch' },
  },
  os: {
    name: 'tyrian_reference.user_agent_os',
    bag: 'OperatingSystem',
    attributes: {
      family: 'Family',
      major: 'MajorVersion',
      minor: 'MinorVersion',
      patch: 'Patch',
      patch_minor: 'PatchMinor',
    },
  },
  device: {
    name: 'tyrian_reference.user_agent_device',
    bag: 'Device',
    attributes: { family: 'Family', brand: 'Brand', model: 'Model' },
  },
} as const satisfies Readonly<Record<string, UserAgentDictionary>>;

/** What stands in every name of these dictionaries. */
export const USER_AGENT_MARK = 'tyrian_reference.user_agent_';

function bagOf({ name, bag, attributes }: UserAgentDictionary, text: Sql): Sql {
  const names = Object.keys(attributes).map((one) => `'${one}'`);
  const found = sql`dictGet(${ownText(`'${name}'`)}, (${ownText(names.join(', '))}), ${text})`;
  const members = Object.values(attributes).map((label, index): Sql => {
    const value = ownText(`ud.${index + 1}`);
    const shown = index === 0 ? sql`if(${value} = '', 'Other', ${value})` : value;
    return sql`${ownText(`'${index === 0 ? '{' : ','}"${label}":'`)}, toJSONString(${shown})`;
  });
  const list = members.reduce((one, other): Sql => sql`${one}, ${other}`);
  return sql`concat(${ownText(`'"${bag}":'`)}, ${named({ ud: found }, sql`concat(${list}, '}')`)})`;
}

/** `parse_user_agent(text, 'browser,os')`: the parts are known, and stand in the order of the dictionaries. */
export const USER_AGENT_BUILDERS: Readonly<Record<string, Builder>> = {
  parse_user_agent: (args) => {
    const wanted = constantText(args, 1).split(',');
    const bags = Object.entries(USER_AGENT_DICTIONARIES)
      .filter(([part]) => wanted.includes(part))
      .map(([, dictionary]) => bagOf(dictionary, arg(args, 0)));
    const [first = sql`''`, ...rest] = bags;
    return sql`concat('{', ${rest.reduce((one: Sql, other): Sql => sql`${one}, ',', ${other}`, first)}, '}')`;
  },
};
