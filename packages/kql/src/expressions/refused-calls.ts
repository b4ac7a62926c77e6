import { say } from '@tyrian/diagnostics';
import type { Refusal } from '../refusal.ts';

// Functions of the language that are refused, each with the reason and what to write instead.

const PRINCIPAL: Refusal = {
  why: say('sameForAll'),
  wayOut: say('nameUser'),
};
const CURSOR: Refusal = {
  why: say('noCursors'),
  wayOut: say('compareIngestionTime'),
};
const EXTENT: Refusal = {
  why: say('noExtents'),
  wayOut: say('orIngestionTime'),
};
const BORDER: Refusal = {
  why: say('borderUndocumented'),
  wayOut: say('compareDistance'),
};
const UNION: Refusal = {
  why: say('polygonsNotUnited'),
  wayOut: say('eachPolygon'),
};
const SIMPLER: Refusal = {
  why: say('simplifyUndocumented'),
  wayOut: say('useShape'),
};

/** The refusals by the name of the function. */
export const REFUSED_CALLS: Readonly<Record<string, Refusal>> = {
  current_principal: PRINCIPAL,
  current_principal_details: PRINCIPAL,
  current_principal_is_member_of: PRINCIPAL,
  cursor_after: CURSOR,
  cursor_before_or_at: CURSOR,
  cursor_current: CURSOR,
  extent_id: EXTENT,
  extent_tags: EXTENT,
  geo_intersection_2polygons: UNION,
  geo_line_buffer: BORDER,
  geo_line_simplify: SIMPLER,
  geo_point_buffer: BORDER,
  geo_polygon_buffer: BORDER,
  geo_polygon_simplify: SIMPLER,
  geo_polygon_to_h3cells: {
    why: say('cellsUndocumented'),
    wayOut: say('useS2cells'),
  },
  geo_simplify_polygons_array: SIMPLER,
  geo_union_polygons_array: UNION,
};
