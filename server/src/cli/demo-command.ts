import { setTimeout as sleep } from 'node:timers/promises';
import { addDemo, type DemoAccount, login, removeDemo } from '@tyrian/contract';
import { readConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { type RunningServer, startServer } from '../start-server.ts';
import { callServer } from './call-server.ts';
import { type Command, UsageError } from './command.ts';
import { parseOptions } from './parse-options.ts';
import { CHECKOUT } from './serve-command.ts';

export const demoCommand: Command = {
  name: 'demo',
  summary: 'add or remove the demo company',
  usage: `Usage: tyrian demo add|remove [--url http://127.0.0.1:9500 (--ssid SESSION | --email ADDRESS --password PASSWORD)]

With --url a running server is asked, as its root administrator. Without it the command works on the data folder of
a server that is not running, and writes the whole day of history before it ends.

add tells the users of the demo with their passwords, once.`,
  run: async ({ args, env }) => {
    const { values, positionals } = parseOptions(
      args,
      {
        url: { type: 'string' },
        ssid: { type: 'string' },
        email: { type: 'string' },
        password: { type: 'string' },
      },
      true,
    );
    const [action] = positionals;
    if (positionals.length !== 1 || (action !== 'add' && action !== 'remove')) {
      throw new UsageError('Say add or remove.');
    }
    try {
      if (values.url === undefined) await onDataFolder(action, env);
      else await onServer(action, values.url, values);
      return 0;
    } catch (error) {
      if (error instanceof UsageError) throw error;
      process.stderr.write(`${(error as Error).message}\n`);
      return 1;
    }
  },
};

type Action = 'add' | 'remove';

async function onServer(
  action: Action,
  url: string,
  values: { ssid?: string | undefined; email?: string | undefined; password?: string | undefined },
): Promise<void> {
  const { email, password } = values;
  if (values.ssid === undefined && (email === undefined || password === undefined)) {
    throw new UsageError('With --url give --ssid, or --email and --password.');
  }
  const ssid =
    values.ssid ??
    (await callServer(url, login, {}, { emailId: email ?? '', password: password ?? '' })).SSID;
  if (action === 'add') sayAccounts((await callServer(url, addDemo, {}, {}, ssid)).accounts);
  else sayRemoved((await callServer(url, removeDemo, {}, {}, ssid)).removed_tenants);
}

async function onDataFolder(action: Action, env: Parameters<typeof readConfig>[0]): Promise<void> {
  // The roles that listen stay off: only the services are needed, and the worker writes the history.
  const config = readConfig(env);
  const server = await startServer({
    config,
    checkout: CHECKOUT,
    log: createLog('warn'),
    roles: action === 'add' ? ['worker'] : [],
  });
  try {
    const { demo } = server.composed;
    if (action === 'remove') sayRemoved(await demo.remove());
    else {
      sayAccounts(await demo.add());
      await untilFilled(server);
    }
  } finally {
    await server.stop();
  }
}

async function untilFilled({ composed: { demo } }: RunningServer): Promise<void> {
  for (;;) {
    const { state, events } = await demo.status();
    if (state !== 'filling') {
      process.stdout.write(`${events} events written.\n`);
      return;
    }
    await sleep(500);
  }
}

function sayAccounts(accounts: readonly DemoAccount[]): void {
  const width = Math.max(...accounts.map(({ role }) => role.length));
  for (const { role, email, password } of accounts) {
    process.stdout.write(`${role.padEnd(width)}  ${email}  ${password}\n`);
  }
}

function sayRemoved(tenants: number): void {
  process.stdout.write(`The demo company is removed, with ${tenants} tenants.\n`);
}
