-- Parts of up to half a gigabyte before they are packed keep their columns in one file. With a file for each column from an
-- eighth on, already the first merge of large inserts wrote some thousand files, as each name below Ext has several: that took
-- half as much processor time again, and the engine's memory grew with it. See docs/decisions/0014.
ALTER TABLE events MODIFY SETTING min_bytes_for_wide_part = 536870912;
