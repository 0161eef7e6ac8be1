import { scheduleReview } from '../delivery/review.ts';
import { GraphError, invalidParameter } from '../graph-error.ts';
import { newObjectId } from '../ids.ts';
import type { Account, Template, TemplateComponent } from '../model.ts';
import { MANAGEMENT_SCOPE, PRODUCT } from '../product.ts';
import { isStrict } from '../settings.ts';
import type { World } from '../world.ts';
import { assertScope } from './access.ts';
import { findTemplate } from './create-draft.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { pageOf, pickFields } from './paging.ts';
import { parseBody } from './read-input.ts';
import { assertComponents } from './template-rules.ts';
import {
  type CreateInput,
  createSchema,
  editPresetSchema,
  editSchema,
  type PresetComponent,
  presetSchema,
} from './template-schema.ts';

/** `POST /{waba}/message_templates`: PENDING, and the review starts. */
export function createTemplate(call: GraphCall, account: Account): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  const { world } = call;
  const input = readInput(call);
  const { name, language, components } = input;
  const parameterFormat = input.parameter_format?.toUpperCase() === 'NAMED' ? 'NAMED' : 'POSITIONAL';
  if (!/^[a-z_]+$/.test(name)) {
    throw new GraphError(100, 'The name can have only lowercase letters and underscores.', {
      subcode: 2388085,
    });
  }
  assertComponents(components, parameterFormat);
  if (findTemplate(world, account.id, name, language)) {
    throw new GraphError(100, `There is already ${language} content for the template ${name}.`, {
      subcode: 2388024,
    });
  }
  const template: Template = {
    kind: 'template',
    id: newObjectId(),
    accountId: account.id,
    name,
    language,
    category: reviewedCategory(world, name, input.category),
    status: 'PENDING',
    rejectedReason: 'NONE',
    components,
    parameterFormat,
    updatedAt: world.clock.nowMs(),
  };
  world.templates.set(template.id, template);
  scheduleReview(world, template);
  return { id: template.id, status: template.status, category: template.category };
}

type TemplateInput = Omit<CreateInput, 'components'> & Pick<Template, 'components'>;

/** The content of a new template; the platform writes the text of authentication templates. */
function readInput({ world, body }: GraphCall): TemplateInput {
  if (!isPreset(world, body)) return parseBody(createSchema, body);
  const { components, ...input } = parseBody(presetSchema, body);
  return { ...input, components: buildAuthentication(components) };
}

/** The platform decides. Strict: a utility template with `promo` in its name is marketing. */
const reviewedCategory = (world: World, name: string, asked: Template['category']): Template['category'] =>
  isStrict(world) && asked === 'UTILITY' && name.includes('promo') ? 'MARKETING' : asked;

/** `GET /{waba}/message_templates`, newest last; filters by name, status, category and language. */
export function listTemplates(call: GraphCall, account: Account): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  const filters = (['name', 'status', 'category', 'language'] as const).flatMap((field) => {
    const wanted = call.query.get(field);
    return wanted === null ? [] : [{ field, wanted: wanted.replace(/^\["?|"?\]$/g, '').split(/"?,"?/) }];
  });
  const templates = [...call.world.templates.values()].filter(
    (template) =>
      template.accountId === account.id &&
      filters.every(({ field, wanted }) => wanted.includes(template[field])),
  );
  return pageOf(call, templates, (template) => showTemplate(call, template));
}

/** `GET /{template}`. */
export function showTemplate(call: GraphCall, template: Template): GraphAnswer {
  const all = {
    id: template.id,
    name: template.name,
    status: template.status,
    category: template.category,
    language: template.language,
    components: template.components,
    previous_category: template.previousCategory,
    correct_category: template.correctCategory,
    parameter_format: template.parameterFormat ?? 'POSITIONAL',
    rejected_reason: template.rejectedReason,
    quality_score: { score: template.status === 'PAUSED' ? 'RED' : 'UNKNOWN' },
    last_updated_time: new Date(template.updatedAt).toISOString(),
  };
  return pickFields(call, 'MessageTemplate', all, [
    'id',
    'name',
    'status',
    'category',
    'language',
    'components',
    'parameter_format',
  ]);
}

/** `POST /{template}`: replaces all components of an approved, rejected or paused template; it is reviewed again. */
export function editTemplate(call: GraphCall, template: Template): GraphAnswer {
  const components = isPreset(call.world, { ...call.body, category: template.category })
    ? buildAuthentication(parseBody(editPresetSchema, call.body).components)
    : parseBody(editSchema, call.body).components;
  if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status)) {
    throw new GraphError(100, 'Only approved, rejected or paused templates can be edited.', {
      subcode: 2388003,
    });
  }
  assertComponents(components, template.parameterFormat ?? 'POSITIONAL');
  template.components = components;
  template.status = 'PENDING';
  template.updatedAt = call.world.clock.nowMs();
  scheduleReview(call.world, template);
  return { success: true, id: template.id, name: template.name, category: template.category };
}

/** `DELETE /{waba}/message_templates?name=` (all languages) or with `hsm_id` (one). */
export function deleteTemplate(call: GraphCall, account: Account): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  const name = call.query.get('name');
  const id = call.query.get('hsm_id');
  if (name === null) throw invalidParameter('The parameter name is required.');
  const doomed = [...call.world.templates.values()].filter(
    (template) =>
      template.accountId === account.id && template.name === name && (id === null || template.id === id),
  );
  if (doomed.length === 0) throw new GraphError(100, `There is no template ${name}.`, { subcode: 2593002 });
  for (const template of doomed) call.world.templates.delete(template.id);
  return { success: true };
}

// Authentication templates have the platform's text and one button, which is stored and sent as a URL with the code.

/** Whether a new template is one of these. Strict: every authentication template is; otherwise it may have its own text. */
function isPreset(world: World, { category, components }: Record<string, unknown>): boolean {
  if (category !== 'AUTHENTICATION') return false;
  const list = Array.isArray(components) ? (components as Record<string, unknown>[]) : [];
  return isStrict(world) || !list.some((component) => component['text'] !== undefined);
}

/** The stored components. Throws 100 without body or button. */
function buildAuthentication(components: PresetComponent[]): TemplateComponent[] {
  const find = <T extends PresetComponent['type']>(type: T) =>
    components.find(
      (component): component is Extract<PresetComponent, { type: T }> => component.type === type,
    );
  const button = find('BUTTONS')?.buttons[0];
  const body = find('BODY');
  if (!body || !button)
    throw new GraphError(100, 'Authentication templates need a BODY and a button of type OTP.', {
      subcode: 2388023,
    });
  const { add_security_recommendation: isSafer = false } = body;
  const { code_expiration_minutes: minutes } = find('FOOTER') ?? {};
  const advice = isSafer ? ' For your security, do not share this code.' : '';
  const url = `https://www.${PRODUCT}.com/otp/code/?otp_type=${button.otp_type}&code=otp`;
  return [
    {
      type: 'BODY',
      text: `*{{1}}* is your verification code.${advice}`,
      add_security_recommendation: isSafer,
      example: { body_text: [['123456']] },
    },
    ...(minutes === undefined
      ? []
      : [
          {
            type: 'FOOTER' as const,
            text: `This code expires in ${minutes} minutes.`,
            code_expiration_minutes: minutes,
          },
        ]),
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'URL',
          text: button.text ?? 'Copy code',
          url: `${url}{{1}}`,
          example: [`${url}123456`],
        },
      ],
    },
  ];
}
