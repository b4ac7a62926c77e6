-- How a case was closed stands in its history, with the note that was written then.

alter table case_history
  add column resolution text check (resolution in ('true_positive', 'benign', 'false_positive', 'duplicate', 'other')),
  -- HTML-escaped once, like case_note.notes.
  add column note text;
