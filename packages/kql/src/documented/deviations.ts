// Where a name compiles and its documented meaning is not met to the letter. One sentence each.

export const DEVIATIONS: Readonly<Record<string, string>> = {
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
