import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { attackSelection } from './attack.ts';
import { navigatorLayerSchema } from './navigator-layer.ts';

// Layers of the ATT&CK Navigator that a scope keeps to compare itself with.

export const LAYERS_OF_SCOPE = 50;

const access = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const scope = { scope_id: idSchema };
const path = (name: string) => `/:clusterId/wrk/api/attack/layers/${name}`;
const count = z.number().int();

const layerItemSchema = z.object({
  layer_id: idSchema,
  name: z.string(),
  /** Techniques that it marks. */
  techniques: count,
  /** The version of ATT&CK that it says it is for; empty when it says none. */
  attack_version: z.string(),
  created: epochMs,
  author: z.string(),
});
export type LayerItem = z.output<typeof layerItemSchema>;

export const listLayers = endpoint({
  name: 'attack.listLayers',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'The layers that the scope keeps',
  input: z.object(scope),
  output: z.array(layerItemSchema),
  access,
});

export const saveLayer = endpoint({
  name: 'attack.saveLayer',
  audit: 'change',
  method: 'POST',
  path: path('save'),
  summary: 'Keep a layer of the ATT&CK Navigator',
  input: z.object({ ...scope, layer: navigatorLayerSchema }),
  output: layerItemSchema.extend({
    /** Ids that this version of ATT&CK does not know; they are kept and compared with nothing. */
    unknown: z.array(z.string()),
  }),
  access,
});

export const removeLayer = endpoint({
  name: 'attack.removeLayer',
  audit: 'change',
  method: 'POST',
  path: path('delete'),
  summary: 'Delete a layer that the scope keeps',
  input: z.object({ ...scope, layer_id: idSchema }),
  output: z.object({ layer_id: idSchema }),
  access,
});

export const exportLayer = endpoint({
  name: 'attack.exportLayer',
  audit: 'export',
  method: 'POST',
  path: path('export'),
  summary: 'The matrix as a layer of the ATT&CK Navigator, format 4.5',
  input: z.object({
    ...attackSelection,
    tab: z.enum(['coverage', 'signals']).default('coverage'),
    name: z.string().trim().min(1).max(200),
  }),
  /** As the Navigator reads it: see navigator-layer.ts. */
  output: z.object({ layer: z.record(z.string(), z.unknown()) }),
  access,
});
