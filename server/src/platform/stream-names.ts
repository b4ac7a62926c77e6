/** Names of the streams that events of a tenant may be in: those of every tenant, and those that it added. */
export type StreamNames = (clusterId: string) => Promise<readonly string[]>;
