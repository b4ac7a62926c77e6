import type { Builder } from './builder.ts';

export const DYNAMIC_BUILDERS: Readonly<Record<string, Builder>> = {};
