// The rules of an API server for CRD schemas, as far as these CRDs could break them.

type Json = Readonly<Record<string, unknown>>;

const TYPES = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);
const KEYWORDS = new Set([
  ...['type', 'description', 'properties', 'additionalProperties', 'items', 'required', 'enum', 'pattern', 'default'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-validations'],
]);

/** Reasons for which an API server would reject the CRD; empty for a valid one. */
export function crdFaults(crd: Json): string[] {
  const spec = crd['spec'] as Json;
  const names = spec['names'] as Json;
  const versions = spec['versions'] as readonly Json[];
  const name = (crd['metadata'] as Json)['name'];
  return [
    ...(name === `${names['plural']}.${spec['group']}` ? [] : ['metadata.name must be plural.group']),
    ...(versions.filter((version) => version['storage'] === true).length === 1 ? [] : ['needs one storage version']),
    ...versions.flatMap((version) => [...rootFaults(version), ...columnFaults(version)]),
  ];
}

function rootFaults(version: Json): string[] {
  const root = (version['schema'] as Json)['openAPIV3Schema'] as Json;
  const metadata = (root['properties'] as Json)['metadata'] as Json;
  const fields = Object.keys((metadata['properties'] ?? {}) as Json);
  const bare =
    Object.keys(metadata).every((key) => key === 'type' || key === 'properties') &&
    fields.every((field) => field === 'name');
  return [...(bare ? [] : ['metadata may restrict the name only']), ...structuralFaults(root, '')];
}

/** Why the schema at `path` is not structural. */
export function structuralFaults(schema: Json, path: string): string[] {
  const { type, properties, additionalProperties, items } = schema;
  const faults: string[] = Object.keys(schema)
    .filter((keyword) => !KEYWORDS.has(keyword))
    .map((keyword) => `${path}: ${keyword} is not for structural schemas`);
  if (!TYPES.has(type as string)) faults.push(`${path}: must have a type`);
  if (properties !== undefined && additionalProperties !== undefined) faults.push(`${path}: properties and values`);
  if (additionalProperties === false) faults.push(`${path}: additionalProperties false`);
  if (type === 'array' && items === undefined) faults.push(`${path}: items must be specified`);
  if (type !== 'array' && items !== undefined) faults.push(`${path}: items of something else than a list`);
  for (const name of (schema['required'] ?? []) as readonly string[]) {
    if (!Object.hasOwn((properties ?? {}) as Json, name)) faults.push(`${path}: requires unknown ${name}`);
  }
  faults.push(...patternFaults(schema, path), ...ruleFaults(schema, path), ...defaultFaults(schema, path));
  for (const [name, child] of Object.entries((properties ?? {}) as Readonly<Record<string, Json>>)) {
    faults.push(...structuralFaults(child, `${path}.${name}`));
  }
  if (typeof additionalProperties === 'object')
    faults.push(...structuralFaults(additionalProperties as Json, `${path}.*`));
  if (items !== undefined) faults.push(...structuralFaults(items as Json, `${path}[]`));
  return faults;
}

/** Defaults must be valid. */
function defaultFaults({ default: value, type, enum: words, pattern, minimum, maximum }: Json, path: string): string[] {
  if (value === undefined) return [];
  const found = Number.isInteger(value) ? 'integer' : typeof value;
  const isValid =
    (found === type || (found === 'integer' && type === 'number')) &&
    (words === undefined || (words as readonly unknown[]).includes(value)) &&
    (pattern === undefined || new RegExp(pattern as string, 'u').test(value as string)) &&
    (minimum === undefined || (value as number) >= (minimum as number)) &&
    (maximum === undefined || (value as number) <= (maximum as number));
  return isValid ? [] : [`${path}: default is invalid`];
}

/** Patterns must be valid RE2. */
function patternFaults({ pattern }: Json, path: string): string[] {
  return typeof pattern === 'string' && /\(\?<?[=!]|\\[1-9]/.test(pattern) ? [`${path}: pattern is not RE2`] : [];
}

/** Rules need one-line messages, known fields, and bounded lists wherever they read. */
function ruleFaults(schema: Json, path: string): string[] {
  const rules = (schema['x-kubernetes-validations'] ?? []) as readonly { rule: string; message: string }[];
  return rules.flatMap(({ rule, message }) => [
    ...(message === '' || message.includes('\n') ? [`${path}: message of ${rule}`] : []),
    ...[...rule.matchAll(/\bself((?:\.\w+)+)(?!\()/g)].flatMap(([, steps = '']) => pathFaults(schema, steps, path)),
    ...(schema['type'] === 'array' && schema['maxItems'] === undefined ? [`${path}: rule on an unbounded list`] : []),
    ...(schema['type'] === 'string' && schema['maxLength'] === undefined ? [`${path}: rule on unbounded text`] : []),
  ]);
}

function pathFaults(schema: Json, steps: string, path: string): string[] {
  let here: Json | undefined = schema;
  for (const step of steps.slice(1).split('.')) {
    if (here?.['type'] === 'array')
      return here['maxItems'] === undefined ? [`${path}${steps}: unbounded in a rule`] : [];
    here = ((here?.['properties'] ?? {}) as Readonly<Record<string, Json>>)[step];
    if (here === undefined && !['all', 'map', 'size', 'exists_one'].includes(step))
      return [`${path}: rule knows no ${steps}`];
  }
  return [];
}

function columnFaults(version: Json): string[] {
  const columns = (version['additionalPrinterColumns'] ?? []) as readonly { jsonPath: string; type: string }[];
  return columns
    .filter(
      ({ jsonPath, type }) =>
        !jsonPath.startsWith('.') || !['boolean', 'date', 'integer', 'number', 'string'].includes(type),
    )
    .map(({ jsonPath }) => `column ${jsonPath}`);
}
