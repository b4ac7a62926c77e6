import type { Refusal } from '../refusal.ts';

// Functions of the language that are refused, each with the reason and what to write instead.

const PRINCIPAL: Refusal = {
  why: 'a query gives the same answer whoever asks',
  wayOut: 'Name the user in the query',
};
const CURSOR: Refusal = {
  why: 'events have no cursors',
  wayOut: 'Compare ingestion_time() with a moment',
};
const EXTENT: Refusal = {
  why: 'events do not lie in extents that a query can see',
  wayOut: 'Leave it out, or use ingestion_time()',
};
const BORDER: Refusal = {
  why: 'its documentation does not say which vertices a border has',
  wayOut: 'Compare geo_distance_point_to_polygon() or geo_distance_point_to_line() with metres',
};
const UNION: Refusal = {
  why: 'polygons are not united or cut',
  wayOut: 'Hold the point against each of them with geo_point_in_polygon()',
};
const SIMPLER: Refusal = {
  why: 'its documentation does not say which vertices stay',
  wayOut: 'Use the shape as it is',
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
    why: 'its documentation does not say which cells at the border count',
    wayOut: 'Use geo_polygon_to_s2cells()',
  },
  geo_simplify_polygons_array: SIMPLER,
  geo_union_polygons_array: UNION,
};
