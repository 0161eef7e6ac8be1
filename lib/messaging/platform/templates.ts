import * as z from 'zod';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { field, text } from '#lib/messaging/platform-fields.ts';
import { toText } from '#lib/variables/to-text.ts';
import { callGraph, type GraphAccess, lostAnswer, readPages } from './graph.ts';
import { PlatformError } from './platform-error.ts';

const templateSchema = z.object({
  id: text,
  name: text,
  status: text,
  category: text,
  language: text,
  components: field((value): JsonValue => value ?? []),
});

/** A message template as the platform lists it (spec, get_templates, "Template object"). Unknown statuses are kept. */
export type PlatformTemplate = z.infer<typeof templateSchema>;

const FIELDS = 'name,status,category,language,components';
const LARGEST_PAGE = 500;

const detailsSchema = templateSchema.extend({
  /** POSITIONAL or NAMED; empty: unknown. */
  parameter_format: text,
  /** The category that it had before the platform changed it; empty: none. */
  previous_category: text,
  /** The category that the platform will change it to; empty: none. */
  correct_category: text,
});

/** The same with fields for screens and checks. */
export type DetailedTemplate = z.infer<typeof detailsSchema>;

const DETAILS = `${FIELDS},parameter_format,previous_category,correct_category`;

export interface ListedTemplates {
  limit: number;
  isWanted?: (template: PlatformTemplate) => boolean;
  /** Only those with this name. */
  name?: string;
}

/**
 * Message templates of a business account, at most `limit`; pages are followed as far as needed. The filter is applied
 * after retrieval.
 * @throws PlatformError
 */
export const listTemplates = (
  access: GraphAccess,
  businessAccountId: string,
  wanted: ListedTemplates,
): Promise<PlatformTemplate[]> => list(access, businessAccountId, wanted, FIELDS, templateSchema);

/** The same with details; a platform that does not have one of these fields is queried without them. @throws PlatformError */
export async function listDetailedTemplates(
  access: GraphAccess,
  businessAccountId: string,
  wanted: ListedTemplates,
): Promise<DetailedTemplate[]> {
  const ask = (fields: string): Promise<DetailedTemplate[]> =>
    list(access, businessAccountId, wanted, fields, detailsSchema);
  try {
    return await ask(DETAILS);
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'parameters') return ask(FIELDS);
    throw error;
  }
}

async function list<Template extends PlatformTemplate>(
  access: GraphAccess,
  businessAccountId: string,
  { limit, isWanted = () => true, name }: ListedTemplates,
  fields: string,
  schema: z.ZodType<Template>,
): Promise<Template[]> {
  const query = {
    fields,
    limit: String(Math.min(limit, LARGEST_PAGE)),
    ...(name === undefined ? {} : { name }),
  };
  const templates: Template[] = [];
  const call = { path: [businessAccountId, 'message_templates'], query };
  for await (const template of readPages(access, call, schema)) {
    if (isWanted(template)) templates.push(template);
    if (templates.length >= limit) break;
  }
  return templates;
}

const createdSchema = z.object({
  id: text,
  status: field((value) => toText(value) || 'PENDING'),
  /** Chosen by the platform; empty: unknown. */
  category: text,
});

export interface NewTemplate {
  name: string;
  language: string;
  category: string;
  components: JsonValue;
  /** Left out: POSITIONAL. */
  parameterFormat?: 'POSITIONAL' | 'NAMED' | undefined;
}

/** Submits a message template for review. @throws PlatformError */
export async function createTemplate(
  access: GraphAccess,
  businessAccountId: string,
  { name, language, category, components, parameterFormat }: NewTemplate,
): Promise<{ id: string; status: string; category: string }> {
  const body: JsonObject = { name, language, category, components };
  if (parameterFormat === 'NAMED') body['parameter_format'] = parameterFormat;
  const answer = await callGraph(access, {
    method: 'POST',
    path: [businessAccountId, 'message_templates'],
    body,
  });
  const created = createdSchema.parse(answer);
  if (created.id === '') throw lostAnswer(200, 'Its response has no template ID.');
  return { ...created, category: created.category || category };
}

/** Replaces all components of a message template; an approved one is reviewed again. @throws PlatformError */
export async function editTemplate(
  access: GraphAccess,
  templateId: string,
  components: JsonValue,
): Promise<void> {
  await callGraph(access, { method: 'POST', path: [templateId], body: { components } });
}

/** Deletes a message template in one language. @throws PlatformError */
export async function deleteTemplate(
  access: GraphAccess,
  businessAccountId: string,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const path = [businessAccountId, 'message_templates'];
  await callGraph(access, { method: 'DELETE', path, query: { name, hsm_id: id } });
}
