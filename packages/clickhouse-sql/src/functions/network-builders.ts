import type { Builder } from './builder.ts';

export const NETWORK_BUILDERS: Readonly<Record<string, Builder>> = {};
