import { type Column, column } from './column.ts';

/** What ingest adds to an event from databases and from the lists of its scope (docs/enrichment.md). */
export const ENRICHED: readonly Column[] = [
  column('SrcIpType', 'string', 'Source address: PUBLIC or PRIVATE; added at ingest'),
  column('SrcGeoCountry', 'string', 'Country of the source address, in English; added at ingest', {
    ecs: ['source.geo.country_name'],
    ocsf: ['src_endpoint.location.country'],
    cim: ['src_country'],
  }),
  column('SrcAsn', 'long', 'Number of the autonomous system of the source address; added at ingest', {
    ecs: ['source.as.number'],
  }),
  column(
    'SrcAsOrganization',
    'string',
    'Organization of the autonomous system of the source address; added at ingest',
    { ecs: ['source.as.organization.name'] },
  ),
  column('SrcSite', 'string', 'Site of the source address, from the networks of the tenant; added at ingest'),
  column('DstIpType', 'string', 'Destination address: PUBLIC or PRIVATE; added at ingest'),
  column('DstGeoCountry', 'string', 'Country of the destination address, in English; added at ingest', {
    ecs: ['destination.geo.country_name'],
    ocsf: ['dst_endpoint.location.country'],
    cim: ['dest_country'],
  }),
  column('DstAsn', 'long', 'Number of the autonomous system of the destination address; added at ingest', {
    ecs: ['destination.as.number'],
  }),
  column(
    'DstAsOrganization',
    'string',
    'Organization of the autonomous system of the destination address; added at ingest',
    { ecs: ['destination.as.organization.name'] },
  ),
  column(
    'DstSite',
    'string',
    'Site of the destination address, from the networks of the tenant; added at ingest',
  ),
  column('ThreatIndicator', 'string', 'Threat indicator that the event matched at ingest', {
    cardinality: 'high',
    index: 'bloom',
  }),
  column('ThreatField', 'string', 'Column whose value matched the threat indicator'),
  column('ThreatList', 'string', 'List that holds the threat indicator'),
  column('ThreatCategory', 'string', 'What the threat indicator belongs to, as its list says'),
  column('ThreatConfidence', 'int', 'Confidence of the threat indicator, from 0 to 100', {
    ecs: ['threat.indicator.confidence'],
  }),
  column('EnrichedBy', 'string', 'Steps that added something to the event at ingest, with their versions'),
];
