/**
 * The defaults that the API server fills in change nothing: every golden case has the same outputs and statuses with
 * them, and every one of them is filled in somewhere.
 */
import type { KubeObject } from '@meshrelay/api';
import { crds, type StructuralSchema } from '@meshrelay/api/crds';
import { expandFleet, type Fleet, GoldenFolder, sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, loadPlugins, statusDocument } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import * as fixture from '../src/fixture.ts';
import istio from '../src/mod.ts';

const golden = new GoldenFolder(new URL('./golden', import.meta.url));
const plugins = loadPlugins([{ module: istio.name, plugin: istio }]);
const schemas = new Map(
  crds.map(({ spec: { names, versions } }) => [names.kind, versions[0]?.schema.openAPIV3Schema] as const),
);
const filled = new Set<string>();

/** As an API server does: only members of objects that are there. */
function fillIn(schema: StructuralSchema | undefined, value: unknown, path: string): unknown {
  if (schema?.items !== undefined && Array.isArray(value))
    return value.map((item) => fillIn(schema.items, item, `${path}[]`));
  if (schema?.type !== 'object' || typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = { ...value };
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const at = `${path}.${name}`;
    if (result[name] !== undefined) result[name] = fillIn(member, result[name], at);
    else if (member.default !== undefined) {
      result[name] = member.default;
      filled.add(at);
    }
  }
  if (schema.additionalProperties !== undefined && schema.properties === undefined)
    for (const [name, member] of Object.entries(result))
      result[name] = fillIn(schema.additionalProperties, member, `${path}.*`);
  return result;
}

function fillInFleet({ clusters, management }: Fleet): Fleet {
  const each = (object: KubeObject): KubeObject => fillIn(schemas.get(object.kind), object, object.kind) as KubeObject;
  return {
    clusters: clusters.map(({ name, objects }) => ({ name, objects: objects.map(each) })),
    management: management.map(each),
  };
}

function resultsOf(fleet: Fleet): unknown {
  const plane = buildFleet({ ...fleet, plugins, hash: sha256 });
  return { outputs: [...plane.desired.entries()], status: statusDocument(plane) };
}

function pathsWithDefault(schema: StructuralSchema, path: string): string[] {
  return [
    ...(schema.default === undefined ? [] : [path]),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => pathsWithDefault(member, `${path}.${name}`)),
    ...(schema.items === undefined ? [] : pathsWithDefault(schema.items, `${path}[]`)),
    ...(schema.additionalProperties === undefined ? [] : pathsWithDefault(schema.additionalProperties, `${path}.*`)),
  ];
}

test('every golden case has the same results with the defaults of the CRDs', () => {
  for (const name of golden.cases()) {
    const fleet = expandFleet(golden.input(name), { type: istio.name, fixture });
    const inCluster = fillInFleet(fleet);
    if (JSON.stringify(inCluster) !== JSON.stringify(fleet)) assert.equal(resultsOf(inCluster), resultsOf(fleet), name);
  }
});

test('golden cases omit every field that has a default', () => {
  const defaults = [...schemas].flatMap(([kind, schema]) =>
    schema === undefined ? [] : pathsWithDefault(schema, kind),
  );
  assert.equal(
    defaults.filter((path) => !filled.has(path)),
    [],
  );
});

test.run();
