import * as z from 'zod';
import { isWrapper } from './marked-fields.ts';

/** What forms call a field: "Conditions 2, Value" for `settings.conditions[1].right`; undefined for the settings as a whole. */
export function titleOfSetting(settings: z.ZodType, path: string): string | undefined {
  const [, ...keys] = path.match(/[^.[\]]+/g) ?? [];
  const titles: string[] = [];
  let schema: z.core.$ZodType | undefined = settings;
  for (const key of keys) {
    const holder: z.core.$ZodType | undefined = schema && unwrap(schema);
    if (holder instanceof z.ZodArray) {
      schema = holder.element;
      titles.push(`${titles.pop() ?? ''} ${Number(key) + 1}`.trim());
    } else {
      schema = holder instanceof z.ZodObject ? (holder.shape as z.core.$ZodShape)[key] : undefined;
      titles.push((schema && titleOf(schema)) ?? key);
    }
  }
  return titles.length > 0 ? titles.join(', ') : undefined;
}

const innerOf = (schema: z.core.$ZodType): z.core.$ZodType | undefined => {
  if (isWrapper(schema)) return schema.def.innerType;
  return schema instanceof z.ZodPipe ? schema.in : undefined;
};

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = innerOf(schema);
  return inner ? unwrap(inner) : schema;
}

function titleOf(schema: z.core.$ZodType): string | undefined {
  const title = z.globalRegistry.get(schema)?.title;
  const inner = innerOf(schema);
  return title ?? (inner && titleOf(inner));
}
