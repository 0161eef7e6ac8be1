// The database records what must not happen: task runs that change after they have ended, each of which would have been completed twice,
// and runs that are executed while another one of their line has not ended.

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

export const WATCH_LINES = `
create table begun_together (run_id uuid, other_id uuid);
create table lenders (run_id uuid);
create function note_lender() returns trigger language plpgsql as $$
begin
  insert into lenders values (new.lender_run_id);
  return new;
end $$;
create trigger note_lender after update of lender_run_id on run_calls for each row
  when (new.lender_run_id is not null) execute function note_lender();
create function note_begun_together() returns trigger language plpgsql as $$
begin
  insert into begun_together select new.id, r.id from runs r
  where r.line = new.line and r.id <> new.id and r.status in ('running', 'waiting')
    and not exists (select from lenders l where l.run_id in (new.id, r.id));
  return new;
end $$;
create trigger note_begun_together after update of status on runs for each row
  when (new.line is not null and new.status = 'running') execute function note_begun_together()`;
