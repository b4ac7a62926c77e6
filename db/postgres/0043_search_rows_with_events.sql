-- Rows of searches are event data: they are kept with the events of their tenant, not here. Searches from before go.
truncate search_task, search_task_chunk;
drop table search_task_chunk;

-- Text of the rows that a search keeps.
comment on column search_task.kept_bytes is 'bytes of JSON text';

-- How many searches of a user run is asked before each one that does not end at once.
create index search_task_live on search_task (cluster_id, user_id) where stage in ('PENDING', 'EXECUTING');
