// A format that nothing knows, and an extractor for it.

export const doorLine = (at: number): string =>
  `DOOR|gate-${at % 3}|user${at}|${at % 2 === 0 ? 'opened' : 'refused'}`;

/** `column`: where the user goes. */
export const doorYaml = (column = 'TargetUsername', name = 'door'): string => `schema-version: 1
source-name: ${name}
source-type: door-control
streams: [Authentication]
master-filters:
  - '^DOOR'
event-details:
  first-match:
    - name: passage
      decoder: regex
      pattern: '^DOOR[|](?<door>[^|]+)[|](?<user>[^|]+)[|](?<result>[a-z]+)$'
      event-key-mapping:
        door: DvcHostname
        user: ${column}
        result: EventResult
      translate:
        EventResult: { opened: Success, refused: Failure }
      annotate:
        Stream: Authentication
        EventVendor: Acme
fallback:
  annotate:
    Stream: Authentication
`;
