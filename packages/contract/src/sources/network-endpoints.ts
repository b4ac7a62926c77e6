import { z } from 'zod';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';

// Senders of syslog prove who they are by their address or by a client certificate. Which tenant may claim which of
// them is said by root; a source names only what its tenant was given.

/** An address range, e.g. `10.1.0.0/16`; a bare address means itself. */
export const syslogNetworkSchema = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]);

/** SHA-256 of a client certificate (64 hexadecimal digits, colons allowed), or the common name of its subject. */
export const syslogCertificateSchema = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .transform((written) => {
    const bare = written.replaceAll(':', '').toLowerCase();
    return /^[0-9a-f]{64}$/.test(bare) ? bare : written.toLowerCase();
  });

export const syslogGrantSchema = z.object({
  grant_id: idSchema,
  cluster_id: idSchema,
  cluster_name: z.string(),
  network: z.string().nullable(),
  certificate: z.string().nullable(),
  created_by: z.string(),
  created_ms: epochMs,
});
export type SyslogGrant = z.output<typeof syslogGrantSchema>;

const ROOT = { kind: 'roles', in: 'platform', tags: ['root', 'root-init'] } as const;

export const listSyslogGrants = endpoint({
  name: 'syslogGrants.list',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/mgmt/syslog/grant/list',
  summary: 'The networks and client certificates whose syslog root has given to tenants.',
  input: z.object({ cluster_id: idSchema.optional() }),
  output: z.object({ grants: z.array(syslogGrantSchema) }),
  access: ROOT,
});

export const giveSyslogGrant = endpoint({
  name: 'syslogGrants.give',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/syslog/grant/give',
  summary:
    'Gives a network, or a client certificate, to a tenant. What overlaps an earlier gift, in either direction, is refused.',
  input: z
    .object({
      cluster_id: idSchema,
      network: syslogNetworkSchema.optional(),
      certificate: syslogCertificateSchema.optional(),
    })
    .refine(({ network, certificate }) => (network === undefined) !== (certificate === undefined), {
      message: reason('networkOrCertificate'),
      path: ['network'],
    }),
  output: syslogGrantSchema,
  access: ROOT,
});

export const takeSyslogGrant = endpoint({
  name: 'syslogGrants.take',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/syslog/grant/take',
  summary:
    'Takes a network or certificate back. Sources that name it receive nothing from it within seconds.',
  input: z.object({ grant_id: idSchema }),
  output: syslogGrantSchema,
  access: ROOT,
});
