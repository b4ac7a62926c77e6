export const ATTACK_MESSAGES = {
  emptyLayer: 'The layer marks no technique: techniques count by their score or their colour',
  otherDomain: 'The layer is for {{domain}}; only layers of enterprise-attack can be compared',
  tooManyLayers: 'A scope keeps at most {{most}} layers: delete one first',
} as const;
