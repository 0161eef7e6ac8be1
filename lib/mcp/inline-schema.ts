// JSON Schemas for assistants: complete, because tools cannot refer to components, and short, because models read all of
// them.
type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces references by their schemas; recursion ends in "anything". */
export function inlineSchema(schema: unknown, components: Json, inside: readonly string[] = []): unknown {
  if (Array.isArray(schema)) return schema.map((item) => inlineSchema(item, components, inside));
  if (!isObject(schema)) return schema;
  const { $ref, ...rest } = schema;
  const own = mapValues(rest, (value) => inlineSchema(value, components, inside));
  if (typeof $ref !== 'string') return mergeVariants(own);
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  if (inside.includes(name)) return own;
  const target = inlineSchema(components[name] ?? {}, components, [...inside, name]);
  return { ...(target as Json), ...own };
}

/**
 * Merges variants with a discriminator, such as tasks by their type: all its values, and the properties that differ only by
 * their description. In full they would be most of a tool's schema; `getTaskType` returns a single one. Variants with their
 * own properties, such as destinations of alerts, stay, because these are described nowhere else.
 */
function mergeVariants(schema: Json): Json {
  const { oneOf, ...rest } = schema;
  if (!Array.isArray(oneOf) || oneOf.length < 2) return schema;
  const variants = oneOf.filter(isObject).map(({ properties }) => (isObject(properties) ? properties : {}));
  const [first = {}] = variants;
  const tells = Object.keys(first).find((key) => variants.every((each) => constOf(each[key]) !== undefined));
  if (tells === undefined || !variants.every((each) => haveSameKeys(each, first))) return schema;
  const properties = mapValues(first, (value, key) => {
    if (key === tells) return { type: 'string', enum: variants.map((each) => constOf(each[key])) };
    const isSame = variants.every((each) => JSON.stringify(each[key]) === JSON.stringify(value));
    return isSame || !isObject(value) ? value : { type: value['type'], description: value['description'] };
  });
  const { title: _title, description: _description, ...common } = oneOf[0] as Json;
  return { ...common, ...rest, properties };
}

const haveSameKeys = (one: Json, other: Json): boolean =>
  Object.keys(one).sort().join() === Object.keys(other).sort().join();

const constOf = (schema: unknown): unknown => (isObject(schema) ? schema['const'] : undefined);

const mapValues = (object: Json, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
