import type { Builder } from './builder.ts';

export const DATETIME_BUILDERS: Readonly<Record<string, Builder>> = {};
