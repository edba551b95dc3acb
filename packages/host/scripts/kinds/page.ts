// docs/reference/kinds: a page for each kind, and README.md, their list.
import { KIND_FIELDS, type KindDefinition, type KindFields } from '@meshrelay/api';
import type { StructuralSchema } from '@meshrelay/api/crds';
import { stringify } from 'yaml';
import type { Examples } from './examples.ts';
import { type Field, fieldsOf, plainPath } from './fields.ts';
import { type MeshColumn, type Need, needsOf, noteOf, wordOf } from './support.ts';

const GENERATED =
  '<!-- Generated from packages/api and the mesh plugins; run `node packages/host/scripts/generate.ts`. -->';

/** File name of the page of a kind. */
export function fileOf({ kind }: KindDefinition): string {
  return `${kind.toLowerCase()}.md`;
}

/** The list of all kinds, each with its description. */
export function indexPage(
  kinds: readonly KindDefinition[],
  describe: (kind: KindDefinition) => string | undefined,
): string {
  const row = (one: KindDefinition) => `| [${one.kind}](${fileOf(one)}) | ${describe(one)} |`;
  const table = (some: readonly KindDefinition[]) => ['| kind | purpose |', '|---|---|', ...some.map(row), ''];
  return [
    GENERATED,
    '# Kinds',
    '',
    'Each page lists every field of one kind: its type, its default, an example, and which meshes support it.',
    '',
    '## Written by you',
    '',
    ...table(kinds.filter((one) => !one.internal && !WRITTEN_BY_SERVER.has(one.kind))),
    '## Written by Meshrelay, for you to read',
    '',
    ...table(kinds.filter(({ kind }) => WRITTEN_BY_SERVER.has(kind))),
    '## Internal',
    '',
    'Only Meshrelay reads and writes these.',
    '',
    ...table(kinds.filter(({ internal }) => internal)),
  ].join('\n');
}

const WRITTEN_BY_SERVER: ReadonlySet<string> = new Set(['Mesh', 'Workload', 'Destination', 'IssuedCertificate']);

/** The page of one kind. */
export function kindPage(
  definition: KindDefinition,
  root: StructuralSchema,
  meshes: readonly MeshColumn[],
  examples: Examples,
): string {
  const { group, version, kind, plural, shortNames, internal } = definition;
  const spec = fieldsOf(root.properties?.['spec'], 'spec', true);
  const status = fieldsOf(root.properties?.['status'], 'status', false);
  const needs = needsOf(kind, spec);
  return [
    GENERATED,
    `# ${kind}`,
    '',
    `${root.description}${internal ? ' Internal: only Meshrelay reads and writes it.' : ''} [All kinds](README.md).`,
    '',
    `- API version: \`${group}/${version}\`, ${definition.scope.toLowerCase()}`,
    `- For kubectl: ${[plural, ...shortNames].map((name) => `\`${name}\``).join(', ')}`,
    ...taskList(examples.pagesOf(kind)),
    '',
    '## Spec',
    '',
    'Durations are written as in Go: `250ms`, `1.5s`, `1m30s`. In a list of selectors, an empty item matches everything.',
    'A field marked \\* is required if the object around it is present.',
    ...(needs.length === 0
      ? []
      : ['An empty cell of a mesh: like the field around it. The [limits](#limits-of-meshes) are below.']),
    '',
    ...specTable(spec, needs.length === 0 ? [] : meshes, needs, (path) => examples.valueOf(kind, path)),
    '',
    ...rules(root),
    ...limits(needs, meshes),
    ...fieldExamples(KIND_FIELDS.filter((table) => table.kind === kind)),
    ...statusSection(status),
  ].join('\n');
}

function taskList(pages: ReadonlyMap<string, string>): string[] {
  if (pages.size === 0) return [];
  return ['- Tasks that use it:', ...[...pages].map(([file, title]) => `  - [${title}](../../tasks/${file})`)];
}

function specTable(
  fields: readonly Field[],
  meshes: readonly MeshColumn[],
  needs: readonly Need[],
  exampleOf: (path: string) => string | undefined,
): string[] {
  const head = ['field', 'type', 'default', 'example', ...meshes.map(({ name }) => name), 'meaning'];
  const rows = fields.map(({ path, required, type, default: omitted, description }) => {
    const need = needs.find((one) => one.paths.includes(path));
    const example = type.includes('object') ? undefined : exampleOf(plainPath(path));
    return [
      `\`${path}\`${required ? ' \\*' : ''}`,
      type,
      cell(omitted),
      example === undefined ? '' : `\`${example.replaceAll('|', '\\|')}\``,
      ...meshes.map(({ capabilities }) => (need === undefined ? '' : wordOf(capabilities[need.capability]))),
      cell(description),
    ];
  });
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** What meshes do not support, each with its reason. */
function limits(needs: readonly Need[], meshes: readonly MeshColumn[]): string[] {
  if (needs.length === 0) return [];
  const rows = needs.flatMap(({ capability, paths }) =>
    meshes.flatMap(({ name, capabilities }) => {
      const note = noteOf(capabilities[capability]);
      const fields = paths.map((path) => `\`${path}\``).join(', ');
      return note === undefined
        ? []
        : [`| ${fields} | \`${capability}\` | ${name} | ${wordOf(capabilities[capability])} | ${cell(note)} |`];
    }),
  );
  return [
    '## Limits of meshes',
    '',
    'A policy that sets such a field reports *no* as `UNSUPPORTED` and *in part* as `DEGRADED`. *Always* means that the',
    'mesh does it without configuration. [Support by mesh](../capabilities.md) has the objects that each field changes.',
    '',
    '| field | capability | mesh | supported | reason |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ];
}

/** An example for each field that is in a file of its own. */
function fieldExamples(tables: readonly KindFields[]): string[] {
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
  return each.length === 0 ? [] : ['## Examples', '', ...each];
}

function statusSection(fields: readonly Field[]): string[] {
  if (fields.length === 0) return [];
  const rows = fields.map(({ path, required, type, default: omitted, description }) => {
    const meaning = [description, omitted === '' ? '' : `Omitted: ${omitted}.`].filter((text) => text !== '').join(' ');
    return `| \`${path}\`${required ? ' \\*' : ''} | ${type} | ${cell(meaning)} |`;
  });
  return ['## Status', '', '| field | type | meaning |', '|---|---|---|', ...rows, ''];
}

/** Checks of the API server in addition to types and ranges. */
function rules(root: StructuralSchema): string[] {
  const all = rulesOf(root, '');
  return all.length === 0
    ? []
    : ['## Rules', '', 'The API server rejects an object that breaks one of these rules.', '', ...all, ''];
}

function rulesOf(schema: StructuralSchema, path: string): string[] {
  const own = (schema['x-kubernetes-validations'] ?? []).map(
    ({ message, fieldPath = '' }) => `- \`${`${path}${fieldPath}`.slice(1)}\` ${message}.`,
  );
  return [
    ...own,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => rulesOf(child, `${path}.${name}`)),
    ...(schema.items === undefined ? [] : rulesOf(schema.items, `${path}[]`)),
    ...(schema.additionalProperties === undefined ? [] : rulesOf(schema.additionalProperties, `${path}.*`)),
  ];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*');
}
