-- Which reading of its text an event comes from: 0 as it came in, else the number of the run that read it again. For as long
-- as both stand beside each other it tells them apart.
ALTER TABLE events ADD COLUMN IF NOT EXISTS Reading UInt32 DEFAULT 0;
