-- Names that say what they hold: an address, a tenant, a scope. No row changes.
alter table login_place rename to login_address;
alter table login_address rename constraint login_place_pkey to login_address_pkey;
alter table demo rename column places to tenants;
alter index notification_place rename to notification_scope;
