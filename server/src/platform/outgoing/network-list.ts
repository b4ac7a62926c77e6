import { BlockList, isIP } from 'node:net';

// Which addresses the server may connect to when a user names them. Public unicast addresses are open; everything with
// a special purpose (IANA special-purpose registries, RFC 6890) is closed unless the operator lists its network.

/** One network in CIDR form, e.g. 10.1.0.0/16; an address alone is a network of one. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const CLOSED_V4 = [
  '0.0.0.0/8', // this network, unspecified
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // shared by carriers (RFC 6598)
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, instance metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // multicast tunnelling
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, limited broadcast
];

/** Global unicast (RFC 4291) and the translation of public IPv4 addresses (RFC 6052); nothing else of IPv6 is open. */
const OPEN_V6 = ['2000::/3', '64:ff9b::/96'];
const CLOSED_V6 = [
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: holds any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

/**
 * Reads comma-separated networks and addresses, e.g. `10.1.0.0/16, 192.168.7.4, fd00::/8`.
 * Throws Error naming the entry that is none.
 */
export function parseNetworks(text: string): readonly Network[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseNetwork);
}

function parseNetwork(text: string): Network {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
  if (version === 0 || address.includes('%') || !isPrefix || more.length > 0) {
    throw new Error(`${text} is no network: write an address or a CIDR such as 10.1.0.0/16 or fd00::/8`);
  }
  const length = prefix === undefined ? longest : Number(prefix);
  return { address, prefix: length, family: version === 4 ? 'ipv4' : 'ipv6' };
}

function blockListOf(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family);
  return list;
}

const closed = blockListOf([
  ...[...CLOSED_V4, ...CLOSED_V6].map(parseNetwork),
  // The same IPv4 networks behind a translator.
  ...CLOSED_V4.map(parseNetwork).map(
    ({ address, prefix }): Network => ({
      address: `64:ff9b::${address}`,
      prefix: 96 + prefix,
      family: 'ipv6',
    }),
  ),
]);
const openV6 = blockListOf(OPEN_V6.map(parseNetwork));

const isIn = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

export interface AddressRules {
  /** In a network that the operator has listed. */
  isListed(address: string): boolean;
  /** Listed, or public. */
  isOpen(address: string): boolean;
}

/** Rules with the operator's list. What is no plain IP address is never open. */
export function addressRules(listed: readonly Network[]): AddressRules {
  const list = blockListOf(listed);
  const isPlain = (address: string) => isIP(address) !== 0 && !address.includes('%');
  const isPublic = (address: string) =>
    !isIn(closed, address) && (isIP(address) === 4 || isIn(openV6, address));
  return {
    isListed: (address) => isPlain(address) && isIn(list, address),
    isOpen: (address) => isPlain(address) && (isIn(list, address) || isPublic(address)),
  };
}
