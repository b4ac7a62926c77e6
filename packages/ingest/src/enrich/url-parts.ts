// URLs as indicators compare them: without scheme, account, fragment and the slash at the end.

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** What of a URL is compared with indicators. */
export function urlKey(url: string): string {
  const hash = url.indexOf('#');
  const plain = (hash < 0 ? url : url.slice(0, hash)).replace(SCHEME, '');
  return plain.endsWith('/') ? plain.slice(0, -1) : plain;
}

/** The host of a URL, without port; empty when there is none. */
export function hostOfUrl(url: string): string {
  const rest = url.replace(SCHEME, '');
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']') < 0 ? undefined : host.indexOf(']'));
  const port = host.indexOf(':');
  return port < 0 ? host : host.slice(0, port);
}
