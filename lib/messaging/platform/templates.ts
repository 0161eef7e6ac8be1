import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import { callGraph, type GraphAccess, lostAnswer } from './graph.ts';
import { readPages } from './pages.ts';

/** A message template as the platform lists it (spec, get_templates, "Template object"). Any status is passed on. */
export interface PlatformTemplate {
  id: string;
  name: string;
  status: string;
  category: string;
  language: string;
  components: JsonValue;
}

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
  for await (const item of readPages(access, { path: [businessAccountId, 'message_templates'], query })) {
    const template = toTemplate(item);
    if (isWanted(template)) templates.push(template);
    if (templates.length >= limit) break;
  }
  return templates;
}

const toTemplate = (item: JsonObject): PlatformTemplate => ({
  id: toText(item['id']),
  name: toText(item['name']),
  status: toText(item['status']),
  category: toText(item['category']),
  language: toText(item['language']),
  components: item['components'] ?? [],
});

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
  const id = toText(answer['id']);
  if (id === '') throw lostAnswer(200, 'Its answer has no template ID.');
  return { id, status: toText(answer['status']) || 'PENDING' };
}
