// The fields of a kind, in the order of its schema.
import type { StructuralSchema } from '@meshrelay/api/crds';

/** One field, at any depth. */
export interface Field {
  /** Path in the object: `[]` is each item of a list, `.*` each value of a map. */
  readonly path: string;
  readonly required: boolean;
  readonly type: string;
  /** The value that applies where the field is omitted; empty if its description has none. */
  readonly default: string;
  readonly description: string;
}

/** The field at `path` and all below it; none without a schema. */
export function fieldsOf(schema: StructuralSchema | undefined, path: string, required: boolean): readonly Field[] {
  if (schema === undefined) return [];
  const below = children(schema).flatMap(([name, child, needed]) => fieldsOf(child, `${path}${name}`, needed));
  const { default: omitted, description } = splitDefault(schema.description ?? '');
  const own = description === '' ? (schema.items?.description ?? '') : description;
  return [{ path, required, type: typeOf(schema), default: omitted, description: own }, ...below];
}

/** The path without marks for items and values. */
export function plainPath(path: string): string {
  return path.replaceAll('[]', '').replaceAll('.*', '');
}

function children(schema: StructuralSchema): readonly (readonly [string, StructuralSchema, boolean])[] {
  const holder = schema.items ?? schema.additionalProperties ?? schema;
  const step = schema.items !== undefined ? '[]' : schema.additionalProperties !== undefined ? '.*' : '';
  return Object.entries(holder.properties ?? {}).map(([name, child]) => [
    `${step}.${name}`,
    child,
    holder.required?.includes(name) ?? false,
  ]);
}

const DEFAULT = /(?:^|(?<=[.;] ))(?:Default|Omitted(?: or empty|, empty or \[\{\}\])?)(?::| means) (.+?)(?:\. |\.?$)/i;

/** Takes the sentence about the default out of a description. */
function splitDefault(text: string): Pick<Field, 'default' | 'description'> {
  const found = DEFAULT.exec(text);
  if (found?.[1] === undefined) return { default: '', description: text };
  const before = text.slice(0, found.index).trim().replace(/;$/, '.');
  const after = text.slice(found.index + found[0].length);
  return { default: found[1], description: `${before} ${after}`.trim() };
}

function typeOf(schema: StructuralSchema): string {
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map to ${typeOf(schema.additionalProperties)}`;
  if (schema['x-kubernetes-preserve-unknown-fields']) return 'any object';
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${word}\``).join(', ');
  return `${schema.type}${range(schema)}`;
}

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: StructuralSchema): string {
  const bounds = [
    minimum === undefined ? '' : `${exclusiveMinimum ? '>' : '≥'} ${minimum}`,
    maximum === undefined || maximum > 2 ** 31 - 2 ? '' : `${exclusiveMaximum ? '<' : '≤'} ${maximum}`,
  ].filter((bound) => bound !== '');
  return bounds.length === 0 ? '' : `, ${bounds.join(', ')}`;
}
