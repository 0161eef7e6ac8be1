import type { Template } from '../model.ts';
import type { World } from '../world.ts';
import { GraphError } from '../graph-error.ts';

/**
 * The template of this name and language if it may be sent. Throws 132001 (unknown, wrong case, other language,
 * or not approved), 132015 (paused) or 132016 (disabled).
 */
export function findSendableTemplate(
  world: World,
  accountId: string,
  name: string,
  language: string,
): Template {
  const template = findTemplate(world, accountId, name, language);
  if (template?.status === 'PAUSED')
    throw new GraphError(132015, `Template (${name}) is paused due to low quality.`);
  if (template?.status === 'DISABLED') throw new GraphError(132016, `Template (${name}) is disabled.`);
  if (template?.status !== 'APPROVED') {
    throw new GraphError(132001, `template name (${name}) does not exist in ${language}`);
  }
  return template;
}

/** The template of an account with this name and language, or null. */
export function findTemplate(
  world: World,
  accountId: string,
  name: string,
  language: string,
): Template | null {
  for (const template of world.templates.values()) {
    if (template.accountId === accountId && template.name === name && template.language === language)
      return template;
  }
  return null;
}
