// Converts a zod schema to a structural schema. Schemas that Kubernetes would reject fail here, when the CRD is built.
import * as z from 'zod/mini';
import { descriptions } from '../gen/descriptions.ts';
import type { StructuralSchema } from './custom-resource-definition.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords with the same meaning in both. */
const RETAINED = [
  'default',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'required',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
] as const;
/** Keywords that the code below translates. */
const TRANSLATED = ['type', 'title', 'properties', 'items', 'additionalProperties'] as const;
const KNOWN: ReadonlySet<string> = new Set([...RETAINED, ...TRANSLATED]);

/** The structural schema of `schema`, with descriptions from the doc comments of its interfaces. */
export function structuralSchema(schema: z.ZodMiniType): StructuralSchema {
  return structural(z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' }) as JsonSchema, undefined);
}

function structural(json: JsonSchema, fieldDescription: string | undefined): StructuralSchema {
  const { $schema: _, ...schema } = json;
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword));
  if (unknown.length > 0) throw new RangeError(`a CRD cannot say ${unknown.join(', ')}: ${JSON.stringify(schema)}`);
  const title = schema['title'] as string | undefined;
  const description = fieldDescription ?? (title === undefined ? undefined : descriptions[title]);
  return {
    type: schema['type'] as StructuralSchema['type'],
    ...(description === undefined ? {} : { description }),
    ...Object.fromEntries(RETAINED.flatMap((keyword) => (keyword in schema ? [[keyword, schema[keyword]]] : []))),
    ...structuralProperties(schema, title),
    ...('items' in schema ? { items: structural(schema['items'] as JsonSchema, undefined) } : {}),
    ...structuralValues(schema),
  };
}

function structuralProperties(schema: JsonSchema, title: string | undefined): Pick<StructuralSchema, 'properties'> {
  const fields = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
  if (fields.length === 0) return {};
  const properties = fields.map(([field, value]) => [field, structural(value, descriptions[`${title}.${field}`])]);
  return { properties: Object.fromEntries(properties) };
}

/** zod marks strict objects with `additionalProperties: false`; Kubernetes prunes instead. */
function structuralValues(schema: JsonSchema): Pick<StructuralSchema, 'additionalProperties'> {
  const values = schema['additionalProperties'];
  if (typeof values !== 'object' || 'x-kubernetes-preserve-unknown-fields' in schema) return {};
  return { additionalProperties: structural(values as JsonSchema, undefined) };
}
