import ldap from 'ldapjs';

export const BASE = 'dc=harbour,dc=example';
export const SERVICE = { dn: `cn=service,${BASE}`, password: 'service-Password.1' };
/** Of everybody in the directory. */
export const PASSWORD = 'directory-Word.9';

interface Asked {
  readonly dn: { toString(): string };
  readonly credentials: string;
  readonly filter: { matches(attributes: object): boolean };
}
interface Answer {
  send(entry: object): void;
  end(): void;
}
type Next = (error?: unknown) => void;

/**
 * A small directory: a service account that may search, and people by name and mail address. It takes a bind without a
 * password, as directories do. `binds` gets every name that binds.
 */
export function makeDirectory(people: Record<string, string>, binds: string[] = []): ldap.Server {
  const made = ldap.createServer();
  made.bind(BASE, (request: Asked, response: Answer, next: Next) => {
    const dn = request.dn.toString();
    binds.push(dn);
    const known: Record<string, string> = {
      [SERVICE.dn]: SERVICE.password,
      ...Object.fromEntries(Object.keys(people).map((name) => [`cn=${name},${BASE}`, PASSWORD])),
    };
    const isAnonymous = request.credentials === '';
    if (!isAnonymous && known[dn.replace(/,\s+/g, ',')] !== request.credentials) {
      return next(new ldap.InvalidCredentialsError());
    }
    response.end();
    return next();
  });
  made.search(BASE, (request: Asked, response: Answer, next: Next) => {
    for (const [name, mail] of Object.entries(people)) {
      const attributes = { objectclass: ['person'], cn: [name], mail: [mail] };
      if (request.filter.matches(attributes)) response.send({ dn: `cn=${name},${BASE}`, attributes });
    }
    response.end();
    return next();
  });
  return made;
}
