/** The built-in schemas: true to Kubernetes' own models, and enough for real manifests. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as kubernetes from '@kubernetes/client-node';
import { assert, sharedPath, test } from '@meshrelay/testing';
import { parseAllDocuments } from 'yaml';
import { builtinKinds, builtinSchema } from '../../src/builtin-schemas/builtin-schema.ts';
import type { KubeObject, SchemaNode } from '../../src/object.ts';
import { rootSchema } from '../../src/patch/root-schema.ts';
import { checkTyped } from '../../src/patch/typed-check.ts';

interface Attribute {
  readonly baseName: string;
  readonly type: string;
}

interface Model {
  readonly attributeTypeMap?: readonly Attribute[];
}

const models = kubernetes as unknown as Readonly<Record<string, Model | undefined>>;
const PREFIXES = ['V1', 'CoreV1', 'RbacV1'];

/** The generated client's model of a kind. */
function modelOf(kind: string): string {
  const name = PREFIXES.map((prefix) => prefix + kind).find((each) => models[each] !== undefined);
  if (name === undefined) throw new Error(`the client has no model of ${kind}`);
  return name;
}

/** Where a schema says other than a model; each model is looked at once on a path. */
function* differences(schema: SchemaNode, type: string, path: string, seen: readonly string[] = []): Generator<string> {
  const list = /^Array<(.*)>$/.exec(type)?.[1];
  const map = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  if (list !== undefined) {
    if (schema.items === undefined) yield `${path} should be a list of ${list}`;
    else yield* differences(schema.items, list, `${path}[]`, seen);
  } else if (map !== undefined) {
    if (typeof schema.additionalProperties === 'object')
      yield* differences(schema.additionalProperties, map, `${path}{}`, seen);
    else if (!schema['x-kubernetes-preserve-unknown-fields']) yield `${path} should be a map of ${map}`;
  } else if (models[type]?.attributeTypeMap !== undefined) {
    if (!seen.includes(type)) yield* memberDifferences(schema, type, path, [...seen, type]);
  } else {
    const expected = SCALARS[type];
    if (expected !== undefined && !expected(schema)) yield `${path} should be a ${type}, is ${JSON.stringify(schema)}`;
  }
}

const SCALARS: Readonly<Record<string, (schema: SchemaNode) => boolean>> = {
  string: ({ type }) => type === 'string',
  number: ({ type }) => type === 'integer' || type === 'number',
  boolean: ({ type }) => type === 'boolean',
  Date: ({ type, format }) => type === 'string' && format === 'date-time',
  V1MicroTime: ({ type, format }) => type === 'string' && format === 'date-time',
  IntOrString: (schema) => schema['x-kubernetes-int-or-string'] === true,
};

function* memberDifferences(
  schema: SchemaNode,
  type: string,
  path: string,
  seen: readonly string[],
): Generator<string> {
  if (schema['x-kubernetes-preserve-unknown-fields']) return;
  const attributes = new Map((models[type]?.attributeTypeMap ?? []).map((each) => [each.baseName, each.type]));
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const expected = attributes.get(name);
    if (expected === undefined) yield `${path}.${name} is not in ${type}`;
    else yield* differences(member, expected, `${path}.${name}`, seen);
  }
}

for (const [apiVersion, kind] of builtinKinds()) {
  test(`${apiVersion} ${kind} has the fields and types of Kubernetes' model`, () => {
    const schema = builtinSchema(apiVersion, kind) as SchemaNode;
    assert.equal([...differences(schema, modelOf(kind), kind)], []);
  });
}

/** Every node of a schema, by path. */
function* nodes(schema: SchemaNode, path: string): Generator<[string, SchemaNode]> {
  yield [path, schema];
  for (const [name, member] of Object.entries(schema.properties ?? {})) yield* nodes(member, `${path}.${name}`);
  if (schema.items !== undefined) yield* nodes(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === 'object') yield* nodes(schema.additionalProperties, `${path}{}`);
}

test('keys of lists are members of their items, and required members are declared', () => {
  for (const [apiVersion, kind] of builtinKinds()) {
    for (const [path, node] of nodes(builtinSchema(apiVersion, kind) as SchemaNode, kind)) {
      const declared = Object.keys(node.properties ?? {});
      for (const name of node.required ?? []) assert.ok(declared.includes(name), `${path} requires ${name}`);
      const keys = [
        ...(node['x-kubernetes-list-map-keys'] ?? []),
        ...[node['x-kubernetes-patch-merge-key'] ?? []].flat(),
      ];
      for (const key of keys) assert.ok(node.items?.properties?.[key], `${path} is keyed by ${key}`);
      if (node['x-kubernetes-list-type'] === 'map') assert.ok(keys.length > 0, `${path} has keys`);
    }
  }
});

const lists: [apiVersion: string, kind: string, path: string, expected: object][] = [
  ['v1', 'Pod', 'Pod.spec.containers', { type: 'map', keys: ['name'], mergeKey: 'name' }],
  [
    'v1',
    'Pod',
    'Pod.spec.containers[].ports',
    { type: 'map', keys: ['containerPort', 'protocol'], mergeKey: 'containerPort' },
  ],
  ['v1', 'Pod', 'Pod.spec.containers[].env', { type: 'map', keys: ['name'], mergeKey: 'name' }],
  ['v1', 'Pod', 'Pod.spec.containers[].volumeMounts', { type: 'map', keys: ['mountPath'], mergeKey: 'mountPath' }],
  ['v1', 'Pod', 'Pod.spec.containers[].args', { type: 'atomic' }],
  ['v1', 'Pod', 'Pod.spec.volumes', { type: 'map', keys: ['name'], mergeKey: 'name' }],
  ['v1', 'Pod', 'Pod.spec.tolerations', { type: 'atomic' }],
  ['v1', 'Pod', 'Pod.spec.imagePullSecrets', { type: 'map', keys: ['name'], mergeKey: 'name' }],
  ['v1', 'Pod', 'Pod.spec.hostAliases', { type: 'map', keys: ['ip'], mergeKey: 'ip' }],
  ['v1', 'Pod', 'Pod.status.conditions', { type: 'map', keys: ['type'], mergeKey: 'type' }],
  ['v1', 'Pod', 'Pod.metadata.ownerReferences', { type: 'map', keys: ['uid'], mergeKey: 'uid' }],
  ['v1', 'Pod', 'Pod.metadata.finalizers', { type: 'set' }],
  ['v1', 'Service', 'Service.spec.ports', { type: 'map', keys: ['port', 'protocol'], mergeKey: 'port' }],
  ['v1', 'Service', 'Service.spec.externalIPs', { type: 'atomic' }],
  ['v1', 'Node', 'Node.status.addresses', { type: 'map', keys: ['type'], mergeKey: 'type' }],
  ['apps/v1', 'Deployment', 'Deployment.status.conditions', { type: 'map', keys: ['type'], mergeKey: 'type' }],
  ['discovery.k8s.io/v1', 'EndpointSlice', 'EndpointSlice.endpoints', { type: 'atomic' }],
  ['discovery.k8s.io/v1', 'EndpointSlice', 'EndpointSlice.endpoints[].addresses', { type: 'set' }],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'ClusterRole.rules', { type: 'atomic' }],
];

for (const [apiVersion, kind, path, expected] of lists) {
  test(`${path} merges as in Kubernetes`, () => {
    const node = new Map(nodes(builtinSchema(apiVersion, kind) as SchemaNode, kind)).get(path);
    const keys = node?.['x-kubernetes-list-map-keys'];
    const mergeKey = node?.['x-kubernetes-patch-merge-key'];
    assert.equal(
      {
        type: node?.['x-kubernetes-list-type'],
        ...(keys === undefined ? {} : { keys }),
        ...(mergeKey === undefined ? {} : { mergeKey }),
      },
      expected,
    );
  });
}

const inputs = sharedPath('inputs');
const realManifests = inputs === undefined ? test.skip : test;

realManifests('real application manifests have no unknown field and no wrong type', () => {
  const files = readdirSync(inputs as string, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.yaml'),
  );
  let checked = 0;
  for (const file of files) {
    for (const document of parseAllDocuments(readFileSync(join(inputs as string, file), 'utf8'))) {
      const object = document.toJS() as KubeObject | null;
      const schema = object === null ? undefined : builtinSchema(object.apiVersion, object.kind);
      if (object === null || schema === undefined) continue;
      checkTyped(rootSchema(schema), object);
      checked++;
    }
  }
  assert.ok(checked > 100, `${checked} objects`);
});

test.run();
