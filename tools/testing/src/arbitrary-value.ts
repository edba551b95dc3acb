// Random values of the shape of a schema; most also satisfy its rules.
import fc from 'fast-check';

/** The part of a structural schema that random values use. */
export interface ValueSchema {
  readonly type: 'object' | 'array' | 'string' | 'boolean' | 'integer' | 'number';
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly additionalProperties?: ValueSchema;
  readonly required?: readonly string[];
  readonly items?: ValueSchema;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
}

/** Random values of the schema's shape. Unions and rules across fields may be violated. */
export function arbitrary(schema: ValueSchema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'object':
      return arbitraryObject(schema);
    case 'array':
      return fc.array(arbitrary(schema.items ?? { type: 'string' }), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case 'string':
      return arbitraryText(schema);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) });
    default:
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1, noNaN: true }).map(Math.abs);
  }
}

function arbitraryObject(schema: ValueSchema): fc.Arbitrary<unknown> {
  if (schema.additionalProperties !== undefined) {
    return fc.dictionary(textMatching('^[a-z]{1,8}$'), arbitrary(schema.additionalProperties), { maxKeys: 3 });
  }
  if (schema['x-kubernetes-preserve-unknown-fields']) return fc.dictionary(textMatching('^[a-z]{1,8}$'), jsonValue);
  const fields = Object.entries(schema.properties ?? {}).map(([name, child]) => [name, arbitrary(child)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])], noNullPrototype: true });
}

function arbitraryText(schema: ValueSchema): fc.Arbitrary<string> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const maxLength = schema.maxLength ?? 20;
  if (schema.pattern === undefined) return textMatching('^[a-z0-9]{1,12}$');
  const flags = schema.pattern.includes('\\p{') ? 'u' : '';
  if (flags === 'u') return textMatching('^[ -~]{0,12}$');
  return textMatching(schema.pattern, { size: 'xsmall' }).filter((text) => text.length <= maxLength);
}

const texts = new Map<string, fc.Arbitrary<string>>();

/** Created once per pattern: fast-check tests each new one with many texts, for up to a tenth of a second. */
function textMatching(pattern: string, constraints: fc.StringMatchingConstraints = {}): fc.Arbitrary<string> {
  const id = JSON.stringify([pattern, constraints]);
  const known = texts.get(id) ?? fc.stringMatching(new RegExp(pattern), constraints);
  texts.set(id, known);
  return known;
}

const jsonValue: fc.Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 2, noUnicodeString: true } as fc.JsonSharedConstraints)
  .map(
    // Another test covers keys like __proto__.
    (value) => JSON.parse(JSON.stringify(value).replaceAll('__proto__', 'proto')) as unknown,
  );
