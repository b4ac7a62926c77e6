export const TENANT_MESSAGES = {
  nameTaken: 'the name is taken: {{name}}',
  engineFailed: 'the engine does not accept this: {{reason}}',
  noSuchUser: 'no such user in the organization',
  noSuchOrganization: 'no such organization',
  alreadySetUp: 'The tenant is already set up',
  scopeTwice: 'a name is given twice',
  onPlatformEngine: 'The tenant uses the engine of the platform',
  nameDiffers: 'this is not the name of the tenant',
  noSuchStream: 'there is no stream named {{stream}}',
  scopeNameTaken: 'another scope of the tenant has this name: {{name}}',
  tooManyPeriods:
    'A tenant can have at most {{most}} different retention periods; choose one of those in use: {{days}} days',
  deletingStopped: 'Deleting events was stopped',
  disableScopeFirst: 'Disable the scope before you delete it',
  lastScope: 'A tenant needs at least one scope',
  planUsers: 'The plan {{plan}} allows {{allowed}} users',
  lastAdministrator: 'This is the last administrator of the tenant',
  administratorsOfPrimary: 'Administrators belong to the primary organization of the tenant',
  onlySecondary: 'Only a secondary organization can be removed from a tenant',
  tenantOrScopeTaken: 'The name of the tenant or of a scope is taken: {{name}}',
  switchFlag: 'must be a boolean',
  switchText: 'must be a string',
} as const;

export const ORGANIZATION_MESSAGES = {
  nameTaken: 'The name is taken: {{name}}',
  notEmpty: 'The organization still has users or tenants',
  onlyRootViews: 'only a root user can be a root viewer',
  ownAddress: 'The organization already has a user with this address',
  foreignAddress:
    'This address cannot be added here. The platform administrator can tell you why and add it to the right organization.',
  disableOwn: 'You cannot disable the organization that you belong to',
  loseOwnRights: 'You cannot remove your own permissions',
  deleteYourself: 'You cannot delete yourself',
  lastRoot: 'This is the last root administrator',
} as const;

export const USER_MESSAGES = {
  notAnAddress: 'Not a valid email address: {{email}}',
  foreignDomain: 'The email domain of {{email}} belongs to the organization {{organization}}',
  emailTaken: 'The email is taken: {{email}}',
  emailTakenIn: 'The email is taken: {{email}} (organization {{organization}})',
  noSuchOrganization: 'No such organization',
  notAName: 'Not a valid name: {{name}}',
  notConnected: "The user's organization is not connected to the tenant",
  noSuchScope: 'No such scope in the tenant',
} as const;

export const DEMO_MESSAGES = {
  beingChanged: 'Another user is changing the demo company',
  exists: 'The demo company already exists',
  missing: 'There is no demo company',
  beingCreated: 'The demo company is being created; wait a moment',
} as const;
