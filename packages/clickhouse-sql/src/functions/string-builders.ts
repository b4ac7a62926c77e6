import type { Builder } from './builder.ts';

export const STRING_BUILDERS: Readonly<Record<string, Builder>> = {};
