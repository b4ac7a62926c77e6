-- A partition into which nothing came for six hours is merged into one part: the merge builds the index of the text, which
-- inserts leave out, and a search over many days opens a part a day instead of all that the inserts of a quiet tenant left
-- behind. Parts that are as large as merges make them stay as they are. See docs/decisions/0014.
ALTER TABLE events MODIFY SETTING
  min_age_to_force_merge_seconds = 21600,
  min_age_to_force_merge_on_partition_only = 1,
  enable_max_bytes_limit_for_min_age_to_force_merge = 1;
ALTER TABLE event_figures MODIFY SETTING
  min_age_to_force_merge_seconds = 21600,
  min_age_to_force_merge_on_partition_only = 1,
  enable_max_bytes_limit_for_min_age_to_force_merge = 1;
ALTER TABLE host_figures MODIFY SETTING
  min_age_to_force_merge_seconds = 21600,
  min_age_to_force_merge_on_partition_only = 1,
  enable_max_bytes_limit_for_min_age_to_force_merge = 1;
