ALTER TABLE "connection_subscriptions" ADD COLUMN "message_trigger" json;--> statement-breakpoint
-- Drafts are rewritten as JSON text, not as jsonb: digits and characters stay as they are. Escapes such as \u0000, which PostgreSQL
-- does not read, are something else meanwhile that no draft contains.
CREATE FUNCTION pg_temp.with_message_start(graph json, trigger_id integer, start json) RETURNS json LANGUAGE sql AS $$
  select replace(json_object_agg(g.key, case when g.key <> 'tasks' then g.value else (
    select json_agg(case when (t.task->>'id')::numeric <> trigger_id then t.task else (
      select json_object_agg(k.key, case when k.key <> 'settings' then k.value else (
        select json_object_agg(s.key, s.value) from (
          select key, value from json_each(k.value) where key not in (select json_object_keys(start))
          union all select key, value from json_each(start)
        ) as s
      ) end) from json_each(t.task) as k
    ) end order by t.place) from json_array_elements(g.value) with ordinality as t(task, place)
  ) end)::text, '\/\/u', '\u')::json from json_each(replace(graph::text, '\u', '\/\/u')::json) as g
$$;--> statement-breakpoint
UPDATE "connection_subscriptions" s SET "message_trigger" = json_build_object('phoneNumberId', s."phone_number_id", 'messageKinds', s."message_kinds", 'words', s."words")
FROM (
  SELECT DISTINCT ON (workflow_id) workflow_id, connection_id FROM "connection_subscriptions"
  WHERE 'messages' = ANY ("kinds") ORDER BY workflow_id, created_at, connection_id
) AS first
WHERE s.workflow_id = first.workflow_id AND s.connection_id = first.connection_id;--> statement-breakpoint
CREATE FUNCTION pg_temp.start_of(s "connection_subscriptions") RETURNS json LANGUAGE sql AS $$
  select json_build_object('starts_on', 'messages', 'app_connection_id', s.connection_id, 'phone_number_id', coalesce(s.phone_number_id, ''),
    'message_kinds', s.message_kinds, 'words', s.words)
$$;--> statement-breakpoint
UPDATE "workflow_versions" v SET "graph" = pg_temp.with_message_start(v.graph, w.trigger_task_id, pg_temp.start_of(s))
FROM "workflows" w, "connection_subscriptions" s
WHERE v.workflow_id = w.id AND v.version = w.published_version AND s.workflow_id = w.id AND s.message_trigger IS NOT NULL;--> statement-breakpoint
UPDATE "workflows" w SET "draft" = pg_temp.with_message_start(w.draft, w.trigger_task_id, pg_temp.start_of(s)), "draft_revision" = w.draft_revision + 1
FROM "connection_subscriptions" s WHERE s.workflow_id = w.id AND s.message_trigger IS NOT NULL;
