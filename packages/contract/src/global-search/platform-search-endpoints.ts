import { z } from 'zod';
import { ALL_ROOTS } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema } from '../envelope/list-request.ts';

export const platformSearch = endpoint({
  name: 'globalSearch.findOnPlatform',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/mgmt/global_search',
  summary:
    'Organizations and people that the caller administers whose name or address holds a text; a few of each, those that begin with it first.',
  input: z.object({ query: z.string().trim().min(2).max(200) }),
  output: z.object({
    organizations: z.array(z.object({ orgId: idSchema, name: z.string() })),
    people: z.array(
      z.object({
        user_id: idSchema,
        name: z.string(),
        email_id: z.string(),
        orgId: idSchema,
        organization: z.string(),
      }),
    ),
  }),
  access: { kind: 'roles', in: 'platform', tags: ['org-admin', ...ALL_ROOTS] },
});
