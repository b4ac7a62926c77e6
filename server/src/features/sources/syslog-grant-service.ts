import { type SyslogGrant, say, sayOfField } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { AuditRecorder } from '../../platform/audit-recorder.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId } from '../../platform/new-id.ts';
import type { SyslogGrantStore } from './syslog-grant-store.ts';

// Root says whose syslog is whose. The tenant that is given something, or that loses it, finds it in its audit trail.

/** Who acts; null for the command line of the server's own machine. */
export interface GrantedBy {
  readonly who: { readonly userId: string; readonly name: string } | null;
  readonly address: string;
}

export interface SyslogGrantService {
  list(clusterId?: string): Promise<SyslogGrant[]>;
  /** AppError `conflict` for what overlaps an earlier grant, `not-found` for an unknown tenant. */
  give(
    grant: { readonly clusterId: string; readonly network?: string; readonly certificate?: string },
    by: GrantedBy,
  ): Promise<SyslogGrant>;
  take(grantId: string, by: GrantedBy): Promise<SyslogGrant>;
}

interface SyslogGrantServiceDeps {
  readonly store: SyslogGrantStore;
  readonly audit: AuditRecorder;
  readonly clock: Clock;
}

export function createSyslogGrantService(deps: SyslogGrantServiceDeps): SyslogGrantService {
  return bindDeps(deps, { list, give, take });
}

function refusalOf(error: unknown): unknown {
  const { code } = error as { code?: string };
  if (code === '23P01')
    return new AppError('conflict', sayOfField('network', say('sources.networkOverlaps')));
  if (code === '23505')
    return new AppError('conflict', sayOfField('certificate', say('sources.certificateGiven')));
  if (code === '23503') return notFound();
  if (code === '22P02') return new AppError('bad-input', sayOfField('network', say('sources.notANetwork')));
  return error;
}

async function list({ store }: SyslogGrantServiceDeps, clusterId?: string): Promise<SyslogGrant[]> {
  return [...(await store.list(clusterId === undefined ? {} : { clusterId }))];
}

async function give(
  { clock, store, audit }: SyslogGrantServiceDeps,
  {
    clusterId,
    network,
    certificate,
  }: { readonly clusterId: string; readonly network?: string; readonly certificate?: string },
  by: GrantedBy,
): Promise<SyslogGrant> {
  const row = {
    grant_id: newId(),
    cluster_id: clusterId,
    network: network ?? null,
    certificate: certificate ?? null,
    created_by: by.who?.name ?? 'System',
    created_at: clock.now(),
  };
  try {
    await store.add(row, (trx) =>
      audit.record(
        {
          action: 'syslog-grant.give',
          who: by.who,
          source: by.address,
          clusterId,
          entity: row.grant_id,
          details: { network: row.network, certificate: row.certificate },
        },
        trx,
      ),
    );
  } catch (error) {
    throw refusalOf(error);
  }
  const [given] = await store.list({ grantId: row.grant_id });
  if (given === undefined) throw notFound();
  return given;
}

async function take(
  { store, audit }: SyslogGrantServiceDeps,
  grantId: string,
  by: GrantedBy,
): Promise<SyslogGrant> {
  const [known] = await store.list({ grantId });
  if (known === undefined) throw notFound();
  const what = known.network ?? known.certificate ?? '';
  const notice = `${what} was taken back by the platform's administrator`;
  const taken = await store.remove(grantId, notice, (trx, row) =>
    audit.record(
      {
        action: 'syslog-grant.take',
        who: by.who,
        source: by.address,
        clusterId: row.cluster_id,
        entity: grantId,
        details: { network: row.network, certificate: row.certificate },
      },
      trx,
    ),
  );
  if (taken === null) throw notFound();
  return known;
}
