import type { Config } from '../platform/config.ts';
import { isRoot } from './engine-identity.ts';

/** What whoever starts the server should know about its rights, one line each. */
export function startNotices(config: Pick<Config, 'clickhouseUrl'>, asRoot: boolean = isRoot()): string[] {
  const notices: string[] = [];
  if (asRoot) {
    notices.push(
      'Started as root: the engines run as users of their own, but this server keeps the rights of root. Start it as an ordinary user.',
    );
  }
  if (config.clickhouseUrl !== undefined) {
    const { username, password } = new URL(config.clickhouseUrl);
    if (password === '' && (username === '' || username === 'default')) {
      notices.push(
        'TYRIAN_CLICKHOUSE_URL signs in as the user default without a password, as everybody else who reaches that engine can: give the events of your tenants an account of their own (docs/engine-grants.md).',
      );
    }
  }
  return notices;
}
