// Advice for failed runs, in plain words: the only place for it. Screens, mails and the API show it. Isomorphic.
import type { RunError } from '#lib/engine/run-types.ts';

const RETRY = 'Then retry the run from the failed task.';
const EDIT = 'Fix the task in the editor, publish, then start the run again.';
const SERVICE_AWAY = `Check that the service is up and that its address is right. ${RETRY}`;
const REQUEST = `Check the URL of the task. ${EDIT}`;
const FIELD = `Check the values of the variables in the field that the message names. ${EDIT}`;
const UNKNOWN_OUTCOME =
  'Check with the recipient or the service whether it happened, then mark the task as done or send again on the run’s page.';

/** By error code of the failed task (docs/task-types.md). */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_token: `Reconnect the connection under Connections. ${RETRY}`,
  insufficient_permissions: `Reconnect the connection with an account that has the Admin or Editor role, and grant everything it asks for. ${RETRY}`,
  app_secret_refused: `The platform does not accept this installation’s app secret. Ask your administrator to set MESSAGING_CLIENT_SECRET, or MESSAGING_APP_SECRET if it is set. ${RETRY}`,
  no_connection: `Select a connection in the task. ${EDIT}`,
  phone_number_not_found: `Select a phone number of the connection in the task. ${EDIT}`,
  not_found: `Check the ID in the task, and that the connection may see what it names. ${EDIT}`,
  invalid_recipient: `Check the value of the variable in “Recipient”. ${EDIT}`,
  rate_exceeded:
    'The platform accepts no more messages right now. Wait, then retry the run from the failed task; spread large sends over more time.',
  message_limited:
    'The customer got too many messages lately, or the quality of the number is low. Wait a day before you send to them again.',
  account_restricted:
    'The platform has restricted the business account. See its page at the platform for the reason and how to appeal. When it is lifted, retry the run from the failed task.',
  payment_problem:
    'Add or fix the payment method of the business account at the platform. Then retry the run from the failed task.',
  customer_opted_out: 'The customer wants no marketing messages. Leave them out; a retry will not help.',
  customer_stopped:
    'The customer stopped such messages. Leave them out, or record that the customer agreed again; until then a retry will not help.',
  marketing_limit_reached:
    'The customer already got as many marketing messages as Settings → Consent allows. Leave this one out, or retry the run from the failed task in some days.',
  customer_on_hold: `A person takes care of this customer. Release the hold on the customer’s page. ${RETRY}`,
  customer_erased:
    'The data of this customer were erased after the run began. There is nothing to fix, and a retry will not help.',
  invalid_attribute: `Check the value of the attribute that the message names. ${EDIT}`,
  platform_experiment:
    'The platform withholds marketing templates from some customers for a while. There is nothing to fix, and a retry will not help.',
  number_not_registered: `Register the phone number on the page of its connection, under Numbers. ${RETRY}`,
  number_needed: `The platform does not send this message to a user ID. Use the customer’s phone number in “Recipient”. ${EDIT}`,
  marketing_limited:
    'The customer got too many marketing messages lately, from any business. Wait a day or more before you send to them again.',
  window_expired:
    'The customer has not written in the last 24 hours. Use “Send template” here, or select a fallback template in the task, and publish.',
  template_not_found: `Check name and language of the template in the task, and that it is approved under Message templates. ${EDIT}`,
  template_stopped: `Edit the template under Message templates and wait until it is approved. ${RETRY} Or select another template in the task, publish, then start the run again.`,
  invalid_parameters: `Compare the parameters in the task with those of the template: their number, order and type. ${EDIT}`,
  storage_failed:
    'The file could not be stored here. Ask your administrator to check the media storage, then retry the run from the failed task.',
  media_failure: `Check that the file’s address can be reached without signing in, and its format and size. ${EDIT}`,
  delivery_failed:
    'The customer is not on the platform, or has blocked the number. Check the number; a retry will not help.',
  platform_trouble: 'The platform has a temporary problem. Retry the run from the failed task later.',
  platform_refused: `The message says what the platform did not accept. ${EDIT}`,
  platform_unreachable:
    'The platform could not be reached. Check the network of this installation, then retry the run from the failed task.',
  platform_not_configured:
    'This installation has no messaging platform. Ask your administrator to set MESSAGING_GRAPH_URL, then retry the run.',
  answer_lost: UNKNOWN_OUTCOME,
  status_unknown:
    'Nothing is known of that message yet. Check the message_id in the task, or retry the run from the failed task later.',
  http_status: `The message has the service’s answer. Check URL, headers and body of the task; if the service was at fault, retry the run from the failed task.`,
  not_sent: SERVICE_AWAY,
  timeout: `The service did not answer in time. ${SERVICE_AWAY}`,
  interrupted: `The connection broke. ${SERVICE_AWAY}`,
  invalid_url: REQUEST,
  invalid_header: `Check the headers of the task. ${EDIT}`,
  refused_address:
    'The address is not public. Use a public address, or ask your administrator to allow this one with ALLOWED_PRIVATE_HOSTS.',
  invalid_response: `The service did not answer with HTTP. ${REQUEST}`,
  compressed_response: `The service answered compressed without being asked. ${REQUEST}`,
  too_large: 'The answer is too large. Ask the service for less, such as a page of it, and publish.',
  too_many_redirects: REQUEST,
  invalid_json_body: `The body is not valid JSON once its variables have values. ${EDIT}`,
  invalid_form_body: `The body is not a valid form once its variables have values. ${EDIT}`,
  missing_secret: `Add the secret under Settings → Secrets. ${RETRY} Or enter it in the task, publish, then start the run again.`,
  unreadable_secret:
    'Enter the secret again, or have its key restored in ENCRYPTION_KEYS. Then retry the run from the failed task.',
  secret_not_allowed: `Secrets may only stand in headers, query and body of requests, and go to hosts that no variable chooses. ${EDIT}`,
  missing_field: FIELD,
  invalid_field: FIELD,
  invalid_text: FIELD,
  invalid_settings: EDIT,
  invalid_duration: `The message has the duration that cannot be used. ${EDIT}`,
  invalid_delay: `The message has the time that cannot be used. ${EDIT}`,
  invalid_calendar: `Enter the opening hours in Settings → Time, or the name of a calendar in the task. ${EDIT}`,
  invalid_pattern: EDIT,
  invalid_list: FIELD,
  not_a_list: `The loop needs a list. Check the value of the variable in the event. ${EDIT}`,
  invalid_count: `The loop needs a number. Check the value of the variable in the event. ${EDIT}`,
  item_failed: 'Open the item that failed in the timeline: its task says what went wrong there.',
  too_many_task_runs: `The run executed too many tasks. Loop over fewer items, or split the workflow. ${EDIT}`,
  call_failed:
    'Open the called run to see what went wrong there. Retry it there, then retry this run from the failed task: it takes its output. Or retry this run only: it calls the workflow again from the start.',
  call_cancelled:
    'The called run was cancelled. Retry this run from the failed task to call the workflow again.',
  call_timed_out: `The called run took longer than the limit of the task. ${RETRY} Or raise the limit in the task and publish.`,
  call_removed: `The called run was removed before this run could read its output. ${RETRY}`,
  call_without_run: 'Run the draft instead of the task alone.',
  call_too_deep: `Workflows call each other too deeply. ${EDIT}`,
  called_workflow_missing: `Select another workflow in the task. ${EDIT}`,
  called_workflow_not_active: `Publish or resume the workflow that the task calls. ${RETRY}`,
  unknown_link: `Make the link with “Approval link” before you wait for it. ${EDIT}`,
  unknown_task_type:
    'This version does not know the task type. Upgrade Patchbay, or replace the task and publish.',
  not_in_draft_runs: 'Publish the workflow and send it an event: runs of drafts cannot execute this task.',
  internal:
    'The fault is in Patchbay, and its server log has the details. Retry the run from the failed task; report it if it fails again.',
};

const DEFAULT = `Open the failed task in the timeline to see its settings and what it got. ${EDIT}`;

/** Codes of failures that the customer or a member wanted: no message left. They are no alert. */
export const WANTED_FAILURES: readonly string[] = [
  'customer_stopped',
  'marketing_limit_reached',
  'customer_on_hold',
  'customer_erased',
];

/** Codes that have their own advice. */
export const ADVISED_CODES: readonly string[] = Object.keys(ADVICE);

/** Advice for a failed run, in whole sentences. @param error of the run; null: none */
export const adviseOnFailure = (error: Pick<RunError, 'code'> | null): string =>
  error && Object.hasOwn(ADVICE, error.code) ? (ADVICE[error.code] ?? DEFAULT) : DEFAULT;
