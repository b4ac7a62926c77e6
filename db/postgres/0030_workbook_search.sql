-- What a search of workbooks looks at: names, descriptions, tags, techniques and the text of every block, in lower
-- case. It is kept with the row, so that a search reads neither blocks nor versions. Line breaks stand as in the text.

create function workbook_block_text(block jsonb) returns text
language sql immutable parallel safe
return concat_ws(' ', block -> 'body' ->> 'name', block -> 'body' ->> 'query', block -> 'body' ->> 'markdown',
  block -> 'body' ->> 'tactic', block -> 'body' ->> 'technique', block -> 'body' ->> 'sub_technique',
  block -> 'body' ->> 'kb', block -> 'body' -> 'tags');

create function workbook_search_text(name text, directory text, description text, tags text[], blocks jsonb)
returns text
language sql immutable parallel safe
return lower(concat_ws(' ', name, directory, description, array_to_string(tags, ' '),
  (select string_agg(workbook_block_text(block), ' ') from jsonb_array_elements(blocks) as each (block))));

alter table workbook add column search_text text
  generated always as (workbook_search_text(name, directory, description, tags, blocks)) stored;
