// Where a name compiles and its documented meaning is not met to the letter. One sentence each.

export const DEVIATIONS: Readonly<Record<string, string>> = {
  cluster: 'Names the tenant that is open, for the scopes that the user may search.',
  database: 'Names a scope that the user may search.',
  current_cluster_endpoint: 'Names this installation, not a cluster of Azure.',
  current_database: 'Names the tenant.',
  search: 'Without a list of tables it searches the streams, and the text of the event as it was received.',
  union:
    '`*` means the streams, so that an event counts once, unless the query names a column that only a well-known table has.',
  rand: 'Another sequence than in Azure Data Explorer.',
  sample: 'Another choice of rows than in Azure Data Explorer.',
  'sample-distinct': 'Another choice of values than in Azure Data Explorer.',
  convert_temperature: "Gives the temperature; the example of Kusto's documentation gives another number.",
  estimate_data_size: 'A dynamic value counts the bytes of its JSON.',
  geo_point_in_polygon: 'The shape must be known before the query runs; points may be those of the rows.',
  geo_distance_point_to_line:
    'The shape must be known before the query runs; points may be those of the rows.',
  geo_distance_point_to_polygon:
    'The shape must be known before the query runs; points may be those of the rows.',
  geo_line_length: 'The shape must be known before the query runs.',
  geo_line_centroid: 'The shape must be known before the query runs.',
  geo_line_interpolate_point: 'The shape must be known before the query runs.',
  geo_line_locate_point: 'The shape must be known before the query runs.',
  geo_closest_point_on_line: 'The shape must be known before the query runs.',
  geo_closest_point_on_polygon: 'The shape must be known before the query runs.',
  geo_polygon_perimeter:
    'The shape must be known before the query runs; polygons that touch each other are not united.',
  geo_intersects_2lines: 'The shape must be known before the query runs.',
  geo_intersects_2polygons: 'The shape must be known before the query runs.',
  geo_intersects_line_with_polygon: 'The shape must be known before the query runs.',
  geo_from_wkt: 'The shape must be known before the query runs.',
  geo_s2cell_neighbors: 'The cell must be known before the query runs.',
  geo_polygon_area:
    'The shape must be known before the query runs; polygons that touch each other are not united.',
  geo_polygon_centroid:
    'The shape must be known before the query runs; polygons that touch each other are not united.',
  geo_intersection_2lines:
    'The lines must be known before the query runs; those that share more than a point are refused.',
  geo_line_to_s2cells: 'The shape must be known before the query runs; a radius round it is refused.',
  geo_polygon_to_s2cells: 'The shape must be known before the query runs; a radius round it is refused.',
  geo_line_densify:
    'The shape must be known before the query runs; edges over the antimeridian are not kept apart.',
  geo_polygon_densify:
    'The shape must be known before the query runs; edges over the antimeridian are not kept apart.',
  geo_intersection_line_with_polygon: 'The shapes must be known before the query runs.',
  geo_union_lines_array:
    'The lines must be known before the query runs; those that cross between their vertices are refused.',
  gzip_compress_to_base64_string: 'The text is stored in the file as it is, so the result is not smaller.',
  gzip_decompress_from_base64_string: 'The text must be known before the query runs.',
  hash_combine: 'Other numbers than in Azure Data Explorer; equal hashes give equal numbers.',
  hash_many: 'Other numbers than in Azure Data Explorer; equal values give equal numbers.',
  punycode_domain_from_string: 'The text must be known before the query runs.',
  punycode_domain_to_string: 'The text must be known before the query runs.',
  punycode_from_string: 'The text must be known before the query runs.',
  punycode_to_string: 'The text must be known before the query runs.',
  beta_cdf: 'The numbers must be known before the query runs.',
  beta_inv: 'The numbers must be known before the query runs.',
  beta_pdf: 'The numbers must be known before the query runs.',
  treepath: 'Containers are listed like leaves.',
  welch_test: 'The numbers must be known before the query runs.',
  zlib_compress_to_base64_string: 'The text is stored in the stream as it is, so the result is not smaller.',
  zlib_decompress_from_base64_string: 'The text must be known before the query runs.',
};
