-- An insert writes its columns into one file. The engine's own limit of 10 MB makes some hundred files of each
-- insert, every one of them synced: that took twice the processor time. Larger parts, which merges make, have a
-- file for each column, so that a query reads only the columns it names.
ALTER TABLE events MODIFY SETTING min_bytes_for_wide_part = 134217728;
