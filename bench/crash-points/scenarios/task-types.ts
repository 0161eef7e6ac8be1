// Every task type and every action of the platform, one scenario for each outcome.
import { WEEKDAYS } from '#lib/core/time/hours.ts';
import { DEFAULT_TIME } from '#lib/identity/schema/time-types.ts';
import { releaseHold } from '#lib/messaging/consent/holds.ts';
import { setWorkspaceTime } from '#lib/messaging/consent/consent-settings.ts';
import { IDS } from '../../../sandbox/data/businesses.ts';
import { lettersOf, markText, type Scenario } from '../scenario.ts';
import {
  call,
  callWorkflow,
  customerWrites,
  messaging,
  publishCalled,
  remember,
  request,
  sendMarketing,
  sendTemplate,
  sendText,
  task,
} from './parts.ts';

const message = (taskId: number) => ({ taskId, journal: 'messages' as const });

/** Not in the logs: effects that may happen twice and are not counted by their marker. */
export const TASK_TYPE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'set variables',
    trigger: { search_by: '{{to}}' },
    tasks: () => [remember(2), remember(3)],
    effects: [],
  },
  {
    name: 'call a workflow, and continue with its output',
    prepare: (stage) => publishCalled(stage, [call(stage, 2, { method: 'PUT' }), remember(3)]),
    tasks: (stage) => [callWorkflow(stage, 2), remember(3)],
    effects: [{ ...request(2), repeats: true }],
  },
  {
    name: 'set consent, and send what was agreed to',
    tasks: (stage) => [
      task(2, 'customer_consent', {
        action: 'set_consent',
        recipient: '{{task_1_to}}',
        consent_purpose: 'marketing',
        consent_state: 'given',
      }),
      sendTemplate(stage, 3),
    ],
    effects: [message(3)],
  },
  {
    name: 'remember and recall an attribute, and send',
    tasks: (stage) => [
      task(2, 'customer_consent', {
        action: 'remember',
        recipient: '{{task_1_to}}',
        attributes: [{ name: 'visits', type: 'number', value: '3' }],
      }),
      task(3, 'customer_consent', {
        action: 'recall',
        recipient: '{{task_1_to}}',
        recalled: [{ name: 'visits', default_value: 0 }],
      }),
      sendTemplate(stage, 4),
    ],
    effects: [message(4)],
  },
  {
    name: 'send when a hold ends',
    prepare: async ({ lane, recipient }) =>
      void (await lane.control.query(
        `insert into customer_holds (workspace_id, name, since, until, reason, evidence, sends)
         values ($1, $2, now(), null, '', '{"kind": "user"}', 'wait')`,
        [lane.workspaceId, recipient],
      )),
    tasks: (stage) => [sendTemplate(stage, 2), remember(3)],
    act: async (stage) => {
      await stage.post();
      stage.startWorker();
      await stage.until('waiting');
      await stage.act((ctx) => releaseHold(ctx, { id: stage.recipient }));
      await stage.until('over');
    },
    effects: [message(2)],
  },
  {
    name: 'send marketing when quiet hours end',
    prepare: async ({ lane }) =>
      void (await lane.control.query(
        `insert into workspace_times (workspace_id, zone, hours, holidays, quiet_hours)
         values ($1, 'UTC', '{}', '{}', json_build_object(
           'from', to_char((now() - interval '1 hour') at time zone 'utc', 'HH24:MI'),
           'to', to_char((now() + interval '2 hours') at time zone 'utc', 'HH24:MI')))
         on conflict (workspace_id) do update set quiet_hours = excluded.quiet_hours`,
        [lane.workspaceId],
      )),
    tasks: (stage) => [sendMarketing(stage, 2), remember(3)],
    act: async (stage) => {
      await stage.post();
      stage.startWorker();
      await stage.until('waiting');
      await stage.act((ctx) => setWorkspaceTime(ctx, DEFAULT_TIME));
      await stage.until('over');
    },
    effects: [message(2)],
  },
  { name: 'send a template', tasks: (stage) => [sendTemplate(stage, 2), remember(3)], effects: [message(2)] },
  {
    name: 'send a text',
    prepare: async (stage) => void (await customerWrites(stage)),
    tasks: (stage) => [sendText(stage, 2)],
    effects: [message(2)],
  },
  {
    name: 'send a text, its window is closed',
    tasks: (stage) => [
      sendText(stage, 2, {
        fallback_template_name: 'order_confirmation',
        fallback_template_parameters: JSON.stringify(['Guest', markText(2)]),
      }),
    ],
    effects: [message(2)],
  },
  {
    name: 'send media',
    prepare: async (stage) => void (await customerWrites(stage)),
    tasks: (stage) => [
      messaging(stage, 2, 'send_media', {
        recipient: '{{task_1_to}}',
        media_type: 'image',
        media_url: 'https://example.com/parcel.png',
        caption: markText(2),
      }),
    ],
    effects: [message(2)],
  },
  {
    name: 'send buttons',
    prepare: async (stage) => void (await customerWrites(stage)),
    tasks: (stage) => [
      messaging(
        stage,
        2,
        'send_buttons',
        {
          recipient: '{{task_1_to}}',
          message_text: `About ${markText(2)}`,
          buttons: [{ title: 'Yes', id: '' }],
        },
        { type: 'messaging_business_more' },
      ),
    ],
    effects: [message(2)],
  },
  {
    name: 'get the status of a message',
    tasks: (stage) => [
      sendTemplate(stage, 2),
      messaging(stage, 3, 'get_message_status', { message_id: '{{task_2_message_id}}' }),
    ],
    effects: [message(2)],
  },
  {
    name: 'mark a message as read',
    prepare: async (stage) => {
      stage.prepared['message'] = await customerWrites(stage);
    },
    body: ({ prepared }) => ({ message: prepared['message'] ?? '' }),
    tasks: (stage) => [messaging(stage, 2, 'mark_as_read', { message_id: '{{task_1_message}}' })],
    effects: [],
  },
  {
    name: 'create and get templates',
    body: ({ currentMark }) => ({ letters: lettersOf(currentMark) }),
    tasks: (stage) => [
      messaging(stage, 2, 'create_template', {
        business_account_id: IDS.books,
        template_name: '{{task_1_letters}}',
        template_category: 'UTILITY',
        template_components: JSON.stringify([{ type: 'BODY', text: 'Your order is here.' }]),
      }),
      messaging(stage, 3, 'get_templates', { business_account_id: IDS.books, limit: 3 }),
    ],
    effects: [{ taskId: 2, journal: 'templates' }],
  },
  {
    name: 'HTTP requests',
    tasks: (stage) => [call(stage, 2), call(stage, 3, { method: 'PUT' }), call(stage, 4, { method: 'GET' })],
    effects: [request(2), { ...request(3), repeats: true }],
  },
  {
    name: 'an HTTP request that is refused at first',
    tasks: (stage) => [call(stage, 2, { path: 'once' }), remember(3)],
    effects: [request(2)],
  },
  {
    name: 'opening hours, and a delay until a time',
    prepare: async ({ lane }) =>
      void (await lane.control.query(
        `insert into workspace_times (workspace_id, zone, hours, holidays, quiet_hours)
         select $1, 'UTC', json_build_object('Always', json_object_agg(day, '[{"from": "00:00", "to": "00:00"}]'::json)), '{}', null
         from unnest($2::text[]) as day
         on conflict (workspace_id) do update set hours = excluded.hours, quiet_hours = null`,
        [lane.workspaceId, WEEKDAYS],
      )),
    tasks: () => [
      task(2, 'opening_hours', { action: 'if_open' }),
      task(3, 'opening_hours', { action: 'delay_until_open', calendar: 'Always' }),
      remember(4),
      task(5, 'opening_hours', { action: 'delay_until_time', time: '09:00', day: 'tomorrow' }),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'open' },
      { from: 3, to: 4 },
      { from: 4, to: 5 },
    ],
    act: async (stage) => {
      await stage.post();
      stage.startWorker();
      await stage.until('waiting');
      await stage.passTime(48 * 3600);
      await stage.until('over');
    },
    effects: [],
  },
  {
    name: 'a short and a long delay',
    tasks: (stage) => [
      task(2, 'delay', { mode: 'for', amount: 0.02, unit: 'seconds' }),
      task(3, 'delay', { mode: 'for', amount: 1, unit: 'hours' }),
      call(stage, 4),
    ],
    act: async (stage) => {
      await stage.post();
      stage.startWorker();
      await stage.until('waiting');
      await stage.passTime(7200);
      await stage.until('over');
    },
    effects: [request(4)],
  },
  {
    name: 'a loop that sends',
    tasks: (stage) => [
      task(2, 'loop', { items: '{{task_1_items}}', pause_seconds: 0.01 }),
      call(stage, 3, { loop: 2 }),
      remember(4),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
      { from: 2, to: 4, branch: 'done' },
    ],
    body: () => ({ items: ['one', 'two'] }),
    effects: [request(3)],
  },
  {
    name: 'a loop that sends until a condition is met',
    tasks: (stage) => [
      task(2, 'loop', {
        repeat: 'until',
        until: [{ left: '{{task_2_round}}', operator: 'at_least', right: 2 }],
        max_passes: 5,
        pause_seconds: 0.01,
      }),
      call(stage, 3, { loop: 2 }),
      remember(4),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
      { from: 2, to: 4, branch: 'done' },
    ],
    effects: [request(3)],
  },
  {
    name: 'a loop that sends several items at once',
    tasks: (stage) => [
      task(2, 'loop', { items: '{{task_1_items}}', at_once: 2 }),
      sendTemplate(stage, 3, 2),
      remember(4),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
      { from: 2, to: 4, branch: 'done' },
    ],
    body: () => ({ items: ['one', 'two', 'three'] }),
    effects: [message(3)],
  },
  {
    name: 'a condition, and branches side by side',
    tasks: (stage) => [
      task(2, 'if_condition', {
        conditions: [{ left: '{{task_1_to}}', operator: 'is_not_empty', right: '' }],
      }),
      call(stage, 3),
      sendTemplate(stage, 4),
      remember(5),
      remember(6),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'true' },
      { from: 2, to: 4, branch: 'true' },
      { from: 2, to: 5, branch: 'false' },
      { from: 3, to: 6 },
      { from: 4, to: 6 },
    ],
    effects: [request(3), message(4)],
  },
  {
    name: 'a value with cases',
    tasks: (stage) => [
      task(2, 'switch', {
        value: '{{task_1_to}}',
        cases: [{ operator: 'is_empty' }, { operator: 'is_not_empty' }],
      }),
      call(stage, 3),
      remember(4),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 4, branch: 'case_1' },
      { from: 2, to: 3, branch: 'case_2' },
    ],
    effects: [request(3)],
  },
  {
    name: 'a task that fails, and the branch behind it',
    tasks: (stage) => [
      messaging(
        stage,
        2,
        'send_template',
        { business_account_id: IDS.books, recipient: '{{task_1_to}}', template_name: 'never_made' },
        { on_failure: 'branch' },
      ),
      call(stage, 3),
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'failed' },
    ],
    effects: [request(3)],
  },
  {
    name: 'an answer after the workflow',
    trigger: { response_type: 'after_workflow', response_body: '{"kept":"{{task_3_kept}}"}' },
    tasks: (stage) => [call(stage, 2), remember(3)],
    act: async (stage) => {
      stage.startWorker();
      const answer = await stage.post();
      if (answer && answer.status !== 200 && stage.director.happened.length === 0)
        stage.violations.push(`the caller was answered ${answer.status}`);
      await stage.until('over');
    },
    effects: [request(2)],
  },
  {
    name: 'a redirect',
    trigger: { response_type: 'redirect', redirect_url: 'https://example.com/{{mark}}' },
    tasks: () => [remember(2)],
    effects: [],
  },
];
