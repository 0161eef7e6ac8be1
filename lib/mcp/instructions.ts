/** Instructions for assistants about Patchbay. */
export const INSTRUCTIONS = `Patchbay runs workflows: a webhook or a customer's message starts a run, whose tasks call services and send messages.

To build a workflow:
1. listTaskTypes, then getTaskType for each type you use. Its settings are a JSON Schema.
2. createWorkflow with tasks and edges. One task is the trigger. Ids of tasks are positive integers, unique in the workflow, never used again for another task. An edge names the branch of its parent where that has branches.
3. Settings use what earlier tasks gave as {{task_<id>_<field>}}; nested keys are joined by underscores. listVariables lists what a task can use.
4. To change a draft, getWorkflow, then replaceDraft with everything in it and its draft_revision. Send masked values (••••••) back as they are: the stored secrets stay. Never ask for secrets: people add them in Settings → Secrets, and HTTP requests use them as {{secret.<name>}}.
5. checkDraft until it has no errors. runDraft with a sample as body.body: nothing is sent for real unless call_services or send_to says so. Then getRun until its status is succeeded or failed.
6. publishWorkflow only when the user wants it: from then on callers of webhook.production_url start it, or the messages that its trigger names (starts_on).

To explain a failure: listRuns with status failed, getRun (error.task_id is the task that failed), getTaskRun (what it was given), getEvent (what came in). Ask before retryRun and replayEvent: they send real requests and messages.`;
