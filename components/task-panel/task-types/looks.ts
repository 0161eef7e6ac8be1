// Custom parts of task types' panels; most types need none.
import type { TaskType } from '#lib/tasks/kinds.ts';
import { HttpForm } from './http-request/http-form.tsx';
import { ResponseTypeField } from './inbound-webhook/response-type-field.tsx';
import { TriggerSection } from './inbound-webhook/trigger-section.tsx';
import { MessageForm } from './message-trigger/message-form.tsx';
import { AskForm, AskTemplateField } from './messaging-business/ask-form.tsx';
import { FallbackField } from './messaging-business/fallback-field.tsx';
import { MediaIdField } from './messaging-business/media-upload.tsx';
import { MessagingForm } from './messaging-business/template-form.tsx';
import { ScheduleForm } from './schedule-trigger/schedule-form.tsx';
import type { TaskLook } from './task-look.ts';

const looks = {
  inbound_webhook: { Intro: TriggerSection, fields: { response_type: ResponseTypeField } },
  message_trigger: { Form: MessageForm, fields: { response_type: ResponseTypeField } },
  schedule_trigger: { Form: ScheduleForm },
  http_request: { Form: HttpForm },
  messaging_business: {
    Form: MessagingForm,
    fields: { media_id: MediaIdField, fallback_template_name: FallbackField },
  },
  ask_and_wait: { Form: AskForm, fields: { template_parameters: AskTemplateField } },
} satisfies Partial<Record<TaskType, TaskLook>>;

const byType = new Map<string, TaskLook>(Object.entries(looks));

/** Undefined for a type whose panel is derived from its definition. */
export const findTaskLook = (type: string): TaskLook | undefined => byType.get(type);
