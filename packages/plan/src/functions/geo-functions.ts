import { type FunctionSignature, signature } from './function-signature.ts';

/** Points and cells on the globe: longitudes and latitudes in degrees, lengths in metres. */
export const GEO_FUNCTIONS: readonly FunctionSignature[] = [
  'geo_point_in_circle(real, real, real, real, real) -> bool!',
  'geo_azimuth(real, real, real, real) -> real!',
  'geo_point_to_geohash(real, real, long?) -> string',
  'geo_geohash_to_central_point(string) -> dynamic!',
  'geo_geohash_to_polygon(string) -> dynamic!',
  'geo_point_to_h3cell(real, real, long?) -> string',
  'geo_h3cell_to_central_point(string) -> dynamic!',
  'geo_h3cell_parent(string, long?) -> string',
  'geo_h3cell_children(string, long?) -> dynamic!',
  'geo_h3cell_level(string) -> int!',
  'geo_h3cell_neighbors(string) -> dynamic!',
  'geo_h3cell_rings(string, long?) -> dynamic!',
  'geo_h3cell_to_polygon(string) -> dynamic!',
  'geo_geohash_neighbors(string) -> dynamic!',
  'geo_point_to_s2cell(real, real, long?) -> string',
  'geo_s2cell_to_central_point(string) -> dynamic!',
  'geo_s2cell_to_polygon(string) -> dynamic!',
  'geo_angle(real, real, real, real, real, real) -> real!',
  // A point against the edges of a shape that the compiler has taken apart.
  'geo_in_rings(real, real, dynamic=) -> bool!',
  'geo_metres_to_edges(real, real, dynamic=) -> real!',
  'geo_metres_to_rings(real, real, dynamic=) -> real!',
].map(signature);
