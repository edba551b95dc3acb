/** The sample fleet accepts the files in the documentation, and meshctl accepts its meshctl calls. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeObject, type KubeObject, type PolicyStatus } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { type ControlPlane, valuesInOrder } from '@meshrelay/relay-core';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { parseAllDocuments } from 'yaml';
import { readClusters, readManagement } from '../src/input/inputs.ts';
import { fleetOf } from '../src/offline/fleet.ts';
import { loadMeshPlugins } from '../src/offline/plugins.ts';
import { InputError } from '../src/problem.ts';
import { callProblem } from './support/commands.ts';
import { callsOf, filesOf, fragmentsOf, type PageFile, yamlOf } from './support/doc-page.ts';
import { writeFiles } from './support/files.ts';
import { CLUSTERS, DOCS, MANAGEMENT } from './support/sample-fleet.ts';

const TASKS = join(DOCS, 'tasks');
const SECTIONS = ['## When you want this', '## Before you begin', '## What each mesh supports', '## Common mistakes'];

/** Kinds that users write. */
const USERS_KINDS = [
  'AccessLogRecord',
  'AccessPolicy',
  'KubernetesCluster',
  'Settings',
  'TrafficPolicy',
  'VirtualDestination',
  'VirtualMesh',
  'WasmDeployment',
  'Workspace',
  'WorkspaceSettings',
];

/** Roots are not renewed. */
const WITHOUT_EFFECT = new Set(['generated.secretRotationGracePeriodRatio']);

const taskPages = readdirSync(TASKS).filter((name) => name.endsWith('.md') && name !== 'README.md');
const pages = readPages('tasks/*.md');
/** Pages whose examples are for other fleets, or for none. */
const otherPages = readPages('{tutorial,faq,supported-versions}.md', '{concepts,operations}/**/*.md');

const plugins = await loadMeshPlugins([]);
const clusters = readClusters(CLUSTERS, plugins);
const management = readManagement({ config: [MANAGEMENT] }, plugins);

test('the list of tasks has every page, and no other', () => {
  const list = readFileSync(join(TASKS, 'README.md'), 'utf8');
  const linked = [...list.matchAll(/\]\(([a-z0-9-]+\.md)\)/g)].map(([, name = '']) => name);
  assert.equal([...new Set(linked)].sort(), [...taskPages].sort());
});

test('every field of a policy has an example in a page', () => {
  const shown = new Set(
    [...pages.values()].flatMap((page) => filesOf(page).flatMap(({ text }) => pathsIn(text).map(endOf))),
  );
  const missing = crds.flatMap(({ spec: { names, versions } }) =>
    names.kind === undefined || !USERS_KINDS.includes(names.kind)
      ? []
      : fieldsOf(versions[0]?.schema.openAPIV3Schema.properties?.['spec'], `${names.kind}.spec`),
  );
  assert.equal(
    missing.filter((path) => !shown.has(endOf(path)) && !WITHOUT_EFFECT.has(endOf(path))),
    [],
    'show each of these fields in a file of docs/tasks',
  );
});

for (const [path, page] of otherPages) {
  const examples = yamlOf(page);
  if (examples.length > 0)
    test(`${path}: examples match the schema of their kinds`, () => {
      for (const text of examples) assert.equal(shapeProblems(text), [], text);
    });

  if (callsOf(page).length > 0)
    test(`${path}: meshctl accepts its calls`, () => {
      for (const call of callsOf(page)) assert.is(callProblem(call), undefined, call);
    });
}

for (const [path, page] of pages) {
  const files = filesOf(page);

  if (path !== 'tasks/README.md')
    test(`${path} has its sections, each with text`, () => {
      const lines = page.split('\n');
      for (const section of SECTIONS) {
        const at = lines.indexOf(section);
        assert.ok(at >= 0, `${path} lacks ${section}`);
        const end = lines.findIndex((line, index) => index > at && line.startsWith('## '));
        assert.ok(
          lines.slice(at + 1, end < 0 ? undefined : end).some((line) => line.trim() !== ''),
          `${section} is empty`,
        );
      }
    });

  for (const file of files)
    test(`${path}: ${file.name} ${file.mistake ? 'is reported on' : 'is accepted'}`, () => {
      const complaints = complaintsOn(file, files);
      if (file.mistake) assert.ok(complaints.length > 0, `nothing is reported on ${file.name}; it is not a mistake`);
      else assert.equal(complaints, []);
    });

  if (files.some(({ mistake }) => mistake))
    test(`${path} shows the reports on each mistake`, () => {
      for (const { name } of files.filter(({ mistake }) => mistake))
        assert.ok(page.includes('```console\n') && new RegExp(`^\\$ meshctl .*\\b${name}`, 'm').test(page), name);
    });

  if (fragmentsOf(page).length > 0)
    test(`${path}: fragments are YAML, and none of them is a whole object of Meshrelay`, () => {
      for (const text of fragmentsOf(page))
        for (const document of parseAllDocuments(text)) {
          assert.equal([...document.errors], [], text);
          assert.ok(!isMeshrelayObject(document.toJS()), `name the file of\n${text}`);
        }
    });

  if (callsOf(page).length > 0)
    test(`${path}: meshctl accepts its calls`, () => {
      for (const call of callsOf(page)) assert.is(callProblem(call), undefined, call);
    });
}

function readPages(...patterns: readonly string[]): Map<string, string> {
  return new Map(
    globSync(patterns, { cwd: DOCS })
      .sort()
      .map((path) => [path, readFileSync(join(DOCS, path), 'utf8')]),
  );
}

/** Schema errors of an example, for any fleet. */
function shapeProblems(text: string): string[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) return document.errors.map(({ message }) => message);
    const object: unknown = document.toJS();
    if (!isMeshrelayObject(object)) return [];
    const { reports, problems } = decodeObject(object);
    return [...(problems ?? []), ...(reports ?? [])].map(({ message }) => message);
  });
}

/** Whether a fragment of an object, or of a configuration, is a whole object. */
function isMeshrelayObject(value: unknown): boolean {
  const { apiVersion, metadata } = (value ?? {}) as Partial<Record<'apiVersion' | 'metadata', unknown>>;
  return typeof apiVersion === 'string' && apiVersion.includes('meshrelay.dev/') && metadata !== undefined;
}

/** A field with its parent: many kinds have the same selectors and matchers. */
function endOf(path: string): string {
  return path.split('.').slice(-2).join('.');
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Paths of all fields below a field; members of lists and maps have no separate paths. */
function fieldsOf({ properties = {}, items }: Schema = {}, path: string): string[] {
  if (items !== undefined) return fieldsOf(items, path);
  return Object.entries(properties).flatMap(([name, schema]) => [
    `${path}.${name}`,
    ...fieldsOf(schema, `${path}.${name}`),
  ]);
}

/** Paths of all fields in the documents of a file. */
function pathsIn(text: string): string[] {
  return parseAllDocuments(text).flatMap((document) => {
    const object = document.toJS() as KubeObject & { readonly spec?: unknown };
    return usedBelow(object.spec, `${object.kind}.spec`);
  });
}

function usedBelow(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => usedBelow(item, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [`${path}.${name}`, ...usedBelow(inner, `${path}.${name}`)]);
}

/** The sample fleet with this file, and those of its page that it needs. */
function fleetWith(file: PageFile, files: readonly PageFile[]): ControlPlane {
  using folder = temporaryFolder();
  const needed = neededBy(file, files);
  writeFiles(folder.path, Object.fromEntries(needed.map(({ name, text }) => [name, text])));
  const there = new Map(management.map((object) => [idOf(object), object]));
  for (const object of readManagement({ config: needed.map(({ name }) => join(folder.path, name)) }, plugins))
    there.set(idOf(object), object);
  return fleetOf({ clusters, management: [...there.values()], plugins, namespace: 'meshrelay' });
}

function neededBy(file: PageFile, files: readonly PageFile[]): PageFile[] {
  if (file.needs === undefined) return [file];
  const other = files.find(({ name }) => name === file.needs);
  if (other === undefined) throw new Error(`${file.name} needs ${file.needs}, which the page does not have`);
  return [...neededBy(other, files), file];
}

function idOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return JSON.stringify([kind, namespace, name]);
}

/** One line for each policy that is not accepted, and each warning; or the reason why meshctl rejects the file. */
function complaintsOn(file: PageFile, files: readonly PageFile[]): string[] {
  try {
    return complaintsOf(fleetWith(file, files));
  } catch (cause) {
    if (cause instanceof InputError) return [cause.message];
    throw cause;
  }
}

/** Trust is established only where agents run. */
function complaintsOf(fleet: ControlPlane): string[] {
  return valuesInOrder(fleet.statuses).flatMap(({ ref: { kind, name }, status }) => {
    const { state, reports, targets }: Pick<PolicyStatus, 'state' | 'reports' | 'targets'> = status;
    const warnings = [...reports, ...targets.flatMap((target) => target.reports)].filter(
      ({ severity, code }) => severity !== 'info' && code !== 'TRUST_NOT_ESTABLISHED',
    );
    const where = `${kind} ${name}`;
    return [
      ...(state === 'ACCEPTED' ? [] : [`${where} is ${state}`]),
      ...warnings.map(({ code, message }) => `${where}: ${code}: ${message}`),
    ];
  });
}

test.run();
