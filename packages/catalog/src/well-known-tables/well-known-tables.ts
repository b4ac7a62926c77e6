import { ASIM_TABLES } from './asim-table.ts';
import { AZURE_LOG_TABLES } from './azure-log-table.ts';
import { CLOUD_LOG_TABLES } from './cloud-log-table.ts';
import { DEFENDER_TABLES } from './defender-table.ts';
import { DEVICE_TABLES } from './device-table.ts';
import { IDENTITY_TABLES } from './identity-table.ts';
import { SENTINEL_TABLES } from './sentinel-table.ts';
import type { WellKnownTable } from './well-known-table.ts';
import { WINDOWS_LOG_TABLES } from './windows-log-table.ts';

/** Every well-known table that is a view of its own. */
export const WELL_KNOWN_TABLES: readonly WellKnownTable[] = [
  ...WINDOWS_LOG_TABLES,
  ...CLOUD_LOG_TABLES,
  ...IDENTITY_TABLES,
  ...DEVICE_TABLES,
  ...DEFENDER_TABLES,
  ...ASIM_TABLES,
  ...AZURE_LOG_TABLES,
  ...SENTINEL_TABLES,
];
