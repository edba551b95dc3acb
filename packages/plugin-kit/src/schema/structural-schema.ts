/** Validates values with the structural schemas of CRDs. */

/** The part of OpenAPI that structural schemas use. */
export interface StructuralSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly additionalProperties?: boolean | StructuralSchema;
  readonly required?: readonly string[];
  readonly items?: StructuralSchema;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly oneOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly allOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

/** The errors of a value at a path, one line each. `closed`: fields that the schema does not define are errors too. */
export function schemaProblems(schema: StructuralSchema, value: unknown, path: string, closed = true): string[] {
  if (value === null) return schema.nullable === true ? [] : [`${path}: must not be null`];
  const wrongType = typeProblem(schema, value, path);
  if (wrongType !== undefined) return [wrongType];
  return [
    ...boundProblems(schema, value, path),
    ...(Array.isArray(value)
      ? value.flatMap((item, index) =>
          schema.items ? schemaProblems(schema.items, item, `${path}[${index}]`, closed) : [],
        )
      : typeof value === 'object'
        ? fieldProblems(schema, value as Readonly<Record<string, unknown>>, path, closed)
        : []),
    ...junctorProblems(schema, value, path),
  ];
}

function typeProblem(schema: StructuralSchema, value: unknown, path: string): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true)
    return Number.isInteger(value) || typeof value === 'string' ? undefined : `${path}: must be an integer or a string`;
  const actual = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value;
  const fits =
    schema.type === undefined || schema.type === actual || (schema.type === 'number' && actual === 'integer');
  return fits ? undefined : `${path}: must be of type ${schema.type}, is ${actual}`;
}

function boundProblems(schema: StructuralSchema, value: unknown, path: string): string[] {
  const problems: string[] = [];
  const bound = (size: number, least: number | undefined, max: number | undefined, what: string) => {
    if (least !== undefined && size < least) problems.push(`${path}: ${what} must be at least ${least}, is ${size}`);
    if (max !== undefined && size > max) problems.push(`${path}: ${what} must be at most ${max}, is ${size}`);
  };
  if (schema.enum !== undefined && !schema.enum.includes(value))
    problems.push(`${path}: ${String(value)} is not one of ${schema.enum.join(', ')}`);
  if (typeof value === 'string') {
    bound([...value].length, schema.minLength, schema.maxLength, 'length');
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
      problems.push(`${path}: ${value} does not match ${schema.pattern}`);
  } else if (typeof value === 'number') bound(value, schema.minimum, schema.maximum, 'value');
  else if (Array.isArray(value)) bound(value.length, schema.minItems, schema.maxItems, 'number of items');
  else if (typeof value === 'object' && value !== null)
    bound(Object.keys(value).length, schema.minProperties, schema.maxProperties, 'number of fields');
  return problems;
}

function fieldProblems(
  schema: StructuralSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  closed: boolean,
): string[] {
  const { properties = {}, additionalProperties, required = [] } = schema;
  const open = !closed || schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true;
  const missing = required.filter((name) => value[name] === undefined).map((name) => `${path}.${name}: is required`);
  return [
    ...missing,
    ...Object.entries(value).flatMap(([name, field]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const inner = known ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      if (inner !== undefined) return schemaProblems(inner, field, `${path}.${name}`, closed);
      return open ? [] : [`${path}.${name}: is not a known field`];
    }),
  ];
}

/** The branches of junctors define only the fields that they constrain. */
function junctorProblems({ oneOf, anyOf, allOf, not }: StructuralSchema, value: unknown, path: string): string[] {
  const holds = (schema: StructuralSchema) => schemaProblems(schema, value, path, false).length === 0;
  const problems: string[] = [];
  if (oneOf !== undefined && oneOf.filter(holds).length !== 1)
    problems.push(`${path}: must fit exactly one of ${oneOf.length} alternatives, fits ${oneOf.filter(holds).length}`);
  if (anyOf !== undefined && !anyOf.some(holds)) problems.push(`${path}: must fit one of ${anyOf.length} alternatives`);
  if (not !== undefined && holds(not)) problems.push(`${path}: fits what it must not`);
  return [...problems, ...(allOf ?? []).flatMap((schema) => schemaProblems(schema, value, path, false))];
}
