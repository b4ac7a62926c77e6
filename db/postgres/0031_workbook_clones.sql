-- Which workbook a clone was made of, and whether it took its place: whoever deletes the clone is then asked whether
-- the original shall run again.

alter table workbook add column cloned_from text;
alter table workbook add column replaced_original boolean not null default false;
