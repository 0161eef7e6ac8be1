import * as z from 'zod';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { field, text } from '#lib/messaging/platform-fields.ts';
import { toText } from '#lib/variables/to-text.ts';
import { callGraph, type GraphAccess, lostAnswer } from './graph.ts';
import { readPages } from './pages.ts';

const templateSchema = z.object({
  id: text,
  name: text,
  status: text,
  category: text,
  language: text,
  components: field((value): JsonValue => value ?? []),
});

/** A message template as the platform lists it (spec, get_templates, "Template object"). Any status is passed on. */
export type PlatformTemplate = z.infer<typeof templateSchema>;

const FIELDS = 'name,status,category,language,components';
const LARGEST_PAGE = 500;

/**
 * Message templates of a business account, at most `limit`; pages are followed as far as needed. The filter is applied
 * after retrieval.
 * @throws PlatformError
 */
export async function listTemplates(
  access: GraphAccess,
  businessAccountId: string,
  { limit, isWanted = () => true }: { limit: number; isWanted?: (template: PlatformTemplate) => boolean },
): Promise<PlatformTemplate[]> {
  const query = { fields: FIELDS, limit: String(Math.min(limit, LARGEST_PAGE)) };
  const templates: PlatformTemplate[] = [];
  const call = { path: [businessAccountId, 'message_templates'], query };
  for await (const template of readPages(access, call, templateSchema)) {
    if (isWanted(template)) templates.push(template);
    if (templates.length >= limit) break;
  }
  return templates;
}

const createdSchema = z.object({ id: text, status: field((value) => toText(value) || 'PENDING') });

export interface NewTemplate {
  name: string;
  language: string;
  category: string;
  components: JsonValue;
}

/** Hands a message template in for review. @throws PlatformError */
export async function createTemplate(
  access: GraphAccess,
  businessAccountId: string,
  { name, language, category, components }: NewTemplate,
): Promise<{ id: string; status: string }> {
  const body: JsonObject = { name, language, category, components };
  const answer = await callGraph(access, {
    method: 'POST',
    path: [businessAccountId, 'message_templates'],
    body,
  });
  const created = createdSchema.parse(answer);
  if (created.id === '') throw lostAnswer(200, 'Its response has no template ID.');
  return created;
}

/** Replaces all components of a message template; what is approved is reviewed again. @throws PlatformError */
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
