import { type Sql, type SqlText, sql } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { named } from './series-sql.ts';

// The country of an address, out of a dictionary of address ranges that the server loads. Both kinds of address
// are the 128 bits of an IPv6 address here: IPv4 is looked up by the lower 64 bits, IPv6 by the upper 64, and
// where several countries share those upper bits a second look-up below them takes the lower ones.

/** The dictionary that `geo_info_from_ip_address` reads: `(network UInt64, position Int64)` to a country's name. */
export const COUNTRY_DICTIONARY = 'tyrian_reference.ip_country';

const lookUp = (network: Sql, position: Sql): SqlText => ({
  kind: 'text',
  parts: [`dictGet('${COUNTRY_DICTIONARY}', 'country', `, ', ', ')'],
  values: [network, position],
});

/** An address that is none is `::`, which has no country. The engine alone would read `1:::2` as one. */
const bits = (text: Sql): Sql =>
  sql`toUInt128(if(position(${text}, ':::') > 0, toIPv6('::'), ifNull(toIPv6OrNull(${text}), toIPv6('::'))))`;

const country = (text: Sql): Sql => {
  const upper = sql`toUInt64(bitShiftRight(gb, 64))`;
  const lower = sql`toUInt64(bitAnd(gb, toUInt128(18446744073709551615)))`;
  const wide = lookUp(
    sql`toUInt64(if(${upper} = 0, 4, 6))`,
    sql`toInt64(if(${upper} = 0, ${lower}, ${upper}))`,
  );
  // Signed numbers order the lower halves as they are when their first bit is turned over.
  const narrow = lookUp(upper, sql`toInt64(bitXor(${lower}, toUInt64(9223372036854775808)))`);
  return named({ gb: bits(text) }, named({ gw: wide }, sql`if(gw != '', gw, ${narrow})`));
};

/** What is known about an address: a bag with its country, null for one without. */
export const GEO_INFO_BUILDERS: Readonly<Record<string, Builder>> = {
  geo_info_from_ip_address: (args) =>
    named(
      { gc: country(arg(args, 0)) },
      sql`if(gc = '', NULL, concat('{"country":', toJSONString(gc), '}'))`,
    ),
};
