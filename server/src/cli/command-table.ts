import type { Command } from './command.ts';

// The commands. Each file is loaded only when its command is asked for, so that `serve` starts quickly.

export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve-command.ts')).serveCommand,
  token: async () => (await import('./token-command.ts')).tokenCommand,
  import: async () => (await import('./import-command.ts')).importCommand,
  demo: async () => (await import('./demo-command.ts')).demoCommand,
  query: async () => (await import('./query-command.ts')).queryCommand,
  rules: async () => (await import('./rules-command.ts')).rulesCommand,
  sigma: async () => (await import('./sigma-command.ts')).sigmaCommand,
  users: async () => (await import('./users-command.ts')).usersCommand,
  tenants: async () => (await import('./tenants-command.ts')).tenantsCommand,
  networks: async () => (await import('./networks-command.ts')).networksCommand,
  migrate: async () => (await import('./migrate-command.ts')).migrateCommand,
  check: async () => (await import('./check-command.ts')).checkCommand,
};
