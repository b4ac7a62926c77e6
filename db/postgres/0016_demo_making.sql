-- The record of the demo stands before anything of it does, so that what a crash leaves behind is known.
alter table demo drop constraint demo_state_check;
alter table demo add constraint demo_state_check check (state in ('making', 'filling', 'ready', 'removing'));
