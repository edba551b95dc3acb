// docs/reference/crds.md: every kind with every field.

import { stringify } from 'yaml';
import type { CustomResourceDefinition, StructuralSchema } from '../src/crds/mod.ts';
import { KIND_FIELDS, type KindFields } from '../src/registry/field-tables.ts';
import type { KindDefinition } from '../src/registry/kind-definition.ts';

/** The text of the page. */
export function referencePage(kinds: readonly KindDefinition[], crds: readonly CustomResourceDefinition[]): string {
  const sections = kinds.map((kind, index) => section(kind, crds[index]));
  return [
    '<!-- Generated from packages/api by scripts/generate.ts; run `node packages/api/scripts/generate.ts`. -->',
    '# Kinds',
    '',
    'Durations are written as in Go: `250ms`, `1.5s`, `1m30s`. In a list of selectors an empty item matches everything.',
    'A field marked \\* is required where the object around it is present.',
    '',
    ...kinds.map(({ kind, doc }) => `- [${kind}](#${kind.toLowerCase()}): ${doc}`),
    '',
    ...sections,
  ].join('\n');
}

function section(definition: KindDefinition, crd: CustomResourceDefinition | undefined): string {
  const { group, version, kind, plural, shortNames, internal } = definition;
  const root = crd?.spec.versions[0]?.schema.openAPIV3Schema;
  if (root === undefined) throw new RangeError(`${kind} has no CRD`);
  const names = [plural, ...shortNames].map((name) => `\`${name}\``).join(', ');
  return [
    `## ${kind}`,
    '',
    `${definition.doc}${internal ? ' Internal: read and written by Meshrelay only.' : ''}`,
    '',
    `\`${group}/${version}\`, ${definition.scope.toLowerCase()}; ${names}`,
    '',
    '| field | type | meaning |',
    '|---|---|---|',
    ...rows(root.properties?.['spec'], 'spec', true),
    ...rows(root.properties?.['status'], 'status', false),
    '',
    ...rules(root, ''),
    ...examples(KIND_FIELDS.filter((table) => table.kind === kind)),
  ].join('\n');
}

/** An example for each field that is in a file of its own. */
function examples(tables: readonly KindFields[]): string[] {
  const each = tables.flatMap(({ path, fields }) =>
    Object.entries(fields).flatMap(([name, field]) => [
      `\`${[...path, name].join('.')}\`:`,
      '',
      '```yaml',
      field.examples.map((example) => stringify({ [name]: example }).trimEnd()).join('\n---\n'),
      '```',
      '',
    ]),
  );
  return each.length === 0 ? [] : ['Examples of each field:', '', ...each];
}

function rows(schema: StructuralSchema | undefined, path: string, required: boolean): string[] {
  if (schema === undefined) return [];
  const own = `| \`${path}\`${required ? ' \\*' : ''} | ${typeText(schema)} | ${cell(schema.description ?? '')} |`;
  return [own, ...children(schema).flatMap(([name, child, needed]) => rows(child, `${path}${name}`, needed))];
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

function typeText(schema: StructuralSchema): string {
  if (schema.items !== undefined) return `list of ${typeText(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map to ${typeText(schema.additionalProperties)}`;
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

/** Checks of the API server beyond types and ranges. */
function rules(schema: StructuralSchema, path: string): string[] {
  const own = (schema['x-kubernetes-validations'] ?? []).map(
    ({ message, fieldPath = '' }) => `- \`${`${path}${fieldPath}`.slice(1)}\` ${message}.`,
  );
  const below = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => rules(child, `${path}.${name}`)),
    ...(schema.items === undefined ? [] : rules(schema.items, `${path}[]`)),
    ...(schema.additionalProperties === undefined ? [] : rules(schema.additionalProperties, `${path}.*`)),
  ];
  const all = [...own, ...below];
  return path === '' && all.length > 0 ? ['Rules:', '', ...all, ''] : all;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*');
}
