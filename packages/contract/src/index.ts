export * from './access/menu-table.ts';
export * from './access/product-types.ts';
export * from './access/role-tags.ts';
export * from './access/route-table.ts';
export * from './envelope/endpoint.ts';
export * from './envelope/envelope.ts';
export * from './envelope/list-request.ts';
