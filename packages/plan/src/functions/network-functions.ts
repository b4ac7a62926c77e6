import { type FunctionSignature, signature } from './function-signature.ts';

/** Addresses and networks. */
export const NETWORK_FUNCTIONS: readonly FunctionSignature[] = [
  'parse_ipv4(string) -> long!',
  'parse_ipv4_mask(string, long) -> long!',
  'parse_ipv6(string) -> string',
  'parse_ipv6_mask(string, long) -> string',
  'format_ipv4(any, long?) -> string',
  'format_ipv4_mask(any, long?) -> string',
  'ipv4_compare(string, string, long?) -> long!',
  'ipv4_is_match(string, string, long?) -> bool!',
  'ipv4_is_private(string) -> bool!',
  'ipv4_is_in_range(string, string) -> bool!',
  'ipv4_is_in_any_range(string, any*) -> bool!',
  'ipv4_netmask_suffix(string) -> long!',
  'ipv6_compare(string, string, long?) -> long!',
  'ipv6_is_match(string, string, long?) -> bool!',
  'ipv6_is_in_range(string, string) -> bool!',
  'ipv6_is_in_any_range(string, any*) -> bool!',
  'ipv4_range_to_cidr_list(string, string) -> dynamic!',
  'geo_info_from_ip_address(string) -> dynamic!',
  'has_any_ipv4(string, any*) -> bool',
  'has_any_ipv4_prefix(string, any*) -> bool',
  'has_ipv4(string, string) -> bool',
  'has_ipv4_prefix(string, string) -> bool',
].map(signature);
