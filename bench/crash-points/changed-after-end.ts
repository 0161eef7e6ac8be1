// The database records which task runs change after they have ended: each would have been completed twice.

export const WATCH_TASK_RUNS = `
create table changed_after_end (run_id uuid, task_id int, iteration text, before text, after text);
create function note_change_after_end() returns trigger language plpgsql as $$
begin
  if old::text is distinct from new::text then
    insert into changed_after_end values (new.run_id, new.task_id, new.iteration, old.status, new.status);
  end if;
  return new;
end $$;
create trigger note_change_after_end after update on task_runs for each row
  when (old.status in ('succeeded', 'failed', 'outcome_unknown', 'skipped', 'cancelled'))
  execute function note_change_after_end()`;
