import { type SmtpSettings, smtpSettingsSchema } from '@tyrian/contract';
import { z } from 'zod';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

const NAME = 'smtp';

const storedSchema = smtpSettingsSchema.extend({
  /** Sealed; null without a password. */
  sealed_password: z.string().nullable(),
  changed_by: z.string(),
});

export interface StoredSmtp extends SmtpSettings {
  readonly sealed_password: string | null;
  readonly changed_by: string;
  readonly changed: number;
}

export async function selectSmtp(postgres: Postgres): Promise<StoredSmtp | null> {
  const row = await postgres.platform
    .selectFrom('platform_setting')
    .selectAll()
    .where('name', '=', NAME)
    .executeTakeFirst();
  return row ? { ...storedSchema.parse(row.value), changed: row.updated_at } : null;
}

export async function saveSmtp(
  db: Postgres['platform'],
  settings: Omit<StoredSmtp, 'changed'>,
  now: number,
): Promise<void> {
  const change = { value: JSON.stringify(settings), updated_at: timestamp(now) };
  await db
    .insertInto('platform_setting')
    .values({ name: NAME, ...change })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(change))
    .execute();
}

export async function deleteSmtp(db: Postgres['platform']): Promise<boolean> {
  const done = await db.deleteFrom('platform_setting').where('name', '=', NAME).executeTakeFirst();
  return done.numDeletedRows > 0n;
}
