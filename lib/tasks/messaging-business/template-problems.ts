// Whether a message template gets exactly what it takes: the platform refuses anything else (132000, 132012, 131008).
import type { JsonValue } from '#lib/core/json/value.ts';
import type { TemplateFacts } from '#lib/messaging/schema/fact-types.ts';
import type { Problem } from '#lib/core/errors.ts';
import { isMissing, hasVariables } from '#lib/tasks/setting-values.ts';
import type { FindTemplate, StoredSettings } from '#lib/tasks/task-definition.ts';
import { toText } from '#lib/variables/to-text.ts';
import { readParameters } from './rules.ts';

/** Problems by field. */
export const templateProblems = (settings: StoredSettings, find: FindTemplate): Problem[] => {
  const template = find('template_name');
  const fallback = find('fallback_template_name');
  return [
    ...(template ? checkTemplate(settings, template) : []),
    ...(fallback ? checkFallback(settings, fallback) : []),
  ];
};

function checkTemplate(settings: StoredSettings, template: TemplateFacts): Problem[] {
  return [
    ...checkParameters(settings, 'template_parameters', template),
    ...checkHeader(settings, template),
    ...checkButton(settings, template),
  ];
}

function checkFallback(settings: StoredSettings, template: TemplateFacts): Problem[] {
  if (template.header !== null || template.buttonIndex !== null) {
    const part =
      template.header === null ? 'a value in the URL of a button' : `${withArticle(template.header)} header`;
    const message = `“${template.name}” needs ${part}, which a fallback cannot have. Select a template with a body only.`;
    return [{ path: 'fallback_template_name', message }];
  }
  return checkParameters(settings, 'fallback_template_parameters', template);
}

/** A list that one variable gives as a whole is only known when it runs. */
function checkParameters(settings: StoredSettings, field: string, template: TemplateFacts): Problem[] {
  const { name, bodyCount } = template;
  if (bodyCount === null) return [];
  const value = settings[field];
  if (typeof value === 'string' && hasVariables(value) && !value.trim().startsWith('[')) return [];
  const parameters = readParameters((value ?? null) as JsonValue).value;
  if (!parameters) return [];
  if (parameters.length > bodyCount) {
    const message = `“${name}” takes ${bodyCount === 1 ? 'one parameter' : `${bodyCount === 0 ? 'no' : bodyCount} parameters`} but gets ${parameters.length}. Remove the others.`;
    return [{ path: field, message }];
  }
  return Array.from({ length: bodyCount }, (_, index) => index)
    .filter((index) => isMissing(parameters[index]))
    .map((index) => ({
      path: `${field}[${index}]`,
      message: `Enter a value for {{${index + 1}}} of “${name}”.`,
    }));
}

function checkHeader(settings: StoredSettings, { name, header }: TemplateFacts): Problem[] {
  const value = toText(settings['header_value'] as JsonValue | undefined).trim();
  const type = toText(settings['header_type'] as JsonValue | undefined);
  if (header === null) {
    if (value === '') return [];
    return [{ path: 'header_value', message: `The header of “${name}” takes no value. Remove it.` }];
  }
  if (value === '') {
    const what = header === 'text' ? 'the text for {{1}} in the header' : `the ${header} for the header`;
    return [
      {
        path: 'header_value',
        message: `Enter ${what} of “${name}”${header === 'text' ? '' : ': a public URL, or upload a file'}.`,
      },
    ];
  }
  if (hasVariables(type) || (type || 'text') === header) return [];
  return [
    {
      path: 'header_type',
      message: `The header of “${name}” is ${withArticle(header)}. Select ${header}.`,
    },
  ];
}

function checkButton(settings: StoredSettings, { name, buttonIndex }: TemplateFacts): Problem[] {
  const value = settings['button_parameter'];
  if (buttonIndex === null) {
    if (isMissing(value)) return [];
    return [{ path: 'button_parameter', message: `No button of “${name}” takes a value. Remove it.` }];
  }
  if (isMissing(value))
    return [
      { path: 'button_parameter', message: `Enter the value for {{1}} in the button URL of “${name}”.` },
    ];
  const index = settings['button_index'] ?? 0;
  if (hasVariables(index) || Number(index) === buttonIndex) return [];
  return [
    {
      path: 'button_index',
      message: `The button of “${name}” that takes a value has the index ${buttonIndex}.`,
    },
  ];
}

const withArticle = (header: string): string => `${header === 'image' ? 'an' : 'a'} ${header}`;
