// Statements that define tables, for a cluster whose shards have replicas: run once, on any of its engines, for all of
// them. Needs ClickHouse Keeper, which the embedded engine has not; so a test holds their text, and no engine of ours
// runs them.

/** An engine of the MergeTree family without replication; its arguments stand in brackets, if any. */
const MERGE_TREE = /\bENGINE\s*=\s*((?:Aggregating|Replacing)?MergeTree)\b(\(\))?/g;
const NAME = '((?:`[^`]+`|\\w+)(?:\\.(?:`[^`]+`|\\w+))?)';

/** Where the name of what is defined ends, by kind of statement. */
const DEFINITIONS = [
  `^CREATE DATABASE(?: IF NOT EXISTS)? ${NAME}`,
  `^CREATE(?: OR REPLACE)? TABLE(?: IF NOT EXISTS)? ${NAME}`,
  `^CREATE MATERIALIZED VIEW(?: IF NOT EXISTS)? ${NAME}`,
  `^ALTER TABLE ${NAME}`,
  `^DROP (?:TABLE|DATABASE)(?: IF EXISTS)? ${NAME}`,
  `^RENAME TABLE(?: IF EXISTS)? ${NAME} TO ${NAME}`,
  `^EXCHANGE TABLES ${NAME} AND ${NAME}`,
].map((text) => new RegExp(text));

/** Replicas of one shard share a path; those of a table that all shards have alike share one over the whole cluster. */
const OF_A_SHARD = "'/clickhouse/tables/{uuid}/{shard}', '{replica}'";
const OF_ALL = "'/clickhouse/tables/{uuid}/all', '{shard}-{replica}'";

/** Tables that say what was done in the whole cluster. */
const SAID_OF_ALL = /\bschema_migration(?:_step)?\b/;

/**
 * The statement for all replicas of a cluster: `ON CLUSTER`, engines of the MergeTree family replicated, with their window
 * of deduplication. What defines nothing is left as it is. Comments before it are dropped.
 */
export function replicatedStatement(statement: string, cluster: string): string {
  const bare = statement.replace(/^\s*(?:--[^\n]*\n\s*)*/, '').replace(/\s+TO\s+/, ' TO ');
  const found = DEFINITIONS.map((definition) => definition.exec(bare)).find((match) => match !== null);
  if (!found) return bare;
  const [head] = found;
  const path = SAID_OF_ALL.test(head) ? OF_ALL : OF_A_SHARD;
  const rest = bare
    .slice(head.length)
    .replaceAll(MERGE_TREE, (_all, engine: string) => `ENGINE = Replicated${engine}(${path})`)
    .replaceAll('non_replicated_deduplication_window', 'replicated_deduplication_window');
  return `${head} ON CLUSTER '${cluster}'${rest}`;
}
