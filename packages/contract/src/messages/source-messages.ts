export const SOURCE_MESSAGES = {
  needsProof: 'a syslog source needs a network, a certificate or a token',
  sharedKeyForHttp: 'a shared key is for sources of kind http',
  proofForSyslog: 'only syslog sources have networks, certificates or with_token',
  notGranted:
    "{{proof}}: not one of this tenant's networks or certificates; ask the platform's administrator",
  bitsBeyondLength: 'the address has bits set beyond its prefix length',
  nameTaken: 'A source of this scope already has that name',
  proofInUse: 'One of these networks or certificates is in use by another source of this tenant',
  networkOverlaps: 'it overlaps a network that is already granted',
  certificateGiven: 'it is already granted',
  alreadyDropped: '{{stream}} is dropped already',
  stillActive: '{{name}} is active; revoke it, or wait until it is silent, then delete it',
  notANetwork: 'is not a network, or has bits set beyond its prefix length',
} as const;

export const INGEST_MESSAGES = {
  busy: 'The server is busy; try again later',
  keyReused: 'The key was already used for other lines',
  fault: 'The batch cannot be read: {{fault}}',
  beingStored: 'The same batch is already being stored',
  spoolFull: 'The event store is down and the spool is full; try again later',
} as const;

export const TOKEN_MESSAGES = {
  tooMany: 'A scope has at most {{most}} tokens: delete some first',
  exists: 'The scope already has a token for {{name}}',
} as const;

export const UPLOAD_MESSAGES = {
  noEventLog: 'This is not a Windows event log (.evtx). Choose another format or file',
  pieceTooLarge: 'A piece of an upload has at most 4 MiB',
  unreadable: 'The piece cannot be read: {{reason}}',
} as const;
