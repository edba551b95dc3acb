// Examples and descriptions of the fields that are each in a file of their own.
import { assert, test } from '@meshrelay/testing';
import type { StructuralSchema } from '../../src/crds/mod.ts';
import {
  apiVersionOf,
  decodeObject,
  definitionOf,
  KIND_FIELDS,
  type KindFields,
  type KindName,
} from '../../src/mod.ts';
import { formatFieldPath } from '../../src/text/field-path.ts';
import { places, schemaOf } from '../support/fields.ts';

const MESHES = [{ name: 'istiod-istio-system-cluster-1', namespace: 'meshrelay' }];
const MODULE = { wasmImageSource: { wasmImageTag: 'registry.example.com/filters/auth:v1' } };
const NAME = {
  hostname: 'books.global',
  port: { number: 80, protocol: 'HTTP' },
  virtualMesh: { name: 'shop', namespace: 'meshrelay' },
  static: { destinations: [{ kubeService: { name: 'books', namespace: 'shop', clusterName: 'cluster-1' } }] },
};
const EXCLUDED: Readonly<Record<string, keyof typeof NAME>> = { meshList: 'virtualMesh', localized: 'static' };

/** A spec with one field, and those that the kind requires besides. */
function specWith({ kind, path }: KindFields, name: string, value: unknown): object {
  if (kind === 'VirtualMesh') return { meshes: MESHES, [name]: value };
  if (kind === 'VirtualDestination') {
    const { [EXCLUDED[name] ?? '']: _excluded, ...others } = NAME as Readonly<Record<string, unknown>>;
    return { ...others, [name]: value };
  }
  if (kind !== 'WasmDeployment')
    return path.slice(1).reduceRight((inner, step) => ({ [step]: inner }), { [name]: value });
  if (path.length === 1) return { filters: [MODULE], [name]: value };
  return { filters: [{ ...(name.endsWith('Source') ? {} : MODULE), [name]: value }] };
}

for (const table of KIND_FIELDS) {
  const { kind, path, fields } = table;
  for (const [name, { examples }] of Object.entries(fields)) {
    const field = [...path, name].join('.');

    test(`the examples of ${kind} ${field} are valid`, () => {
      for (const example of examples) {
        const apiVersion = apiVersionOf(definitionOf(kind as KindName));
        const metadata = { name: 'example', namespace: 'meshrelay' };
        const object = { apiVersion, kind, metadata, spec: specWith(table, name, example) };
        assert.equal(decodeObject(object), { object, reports: [] });
      }
    });

    // Members with a table of their own have their own examples.
    if (KIND_FIELDS.some((other) => other.kind === kind && other.path.join('.') === field)) continue;
    test(`the examples of ${kind} ${field} set every member`, () => {
      const schema = schemaAt(schemaOf(kind), [...path, name]);
      assert.equal(
        membersOf(schema).filter((member) => !examples.some((example) => isSet(example, member))),
        [],
      );
    });
  }
}

test('the description of each optional field says what an omitted one means', () => {
  const silent = KIND_FIELDS.filter(({ kind }) => kind !== 'TrafficPolicy').flatMap(({ kind, path }) => {
    const root = schemaAt(schemaOf(kind), path);
    return places(root)
      .filter(({ path: at, required, schema }) => {
        if (required || typeof at.at(-1) !== 'string' || schema.description === undefined) return false;
        return !isOneOfSeveral(root, at.map(String)) && !/default|omitted/i.test(schema.description);
      })
      .map(({ path: at }) => `${kind} ${formatFieldPath(at)}`);
  });
  assert.equal(silent, []);
});

/** Whether the object must have exactly one of some fields, the field among them. */
function isOneOfSeveral(root: StructuralSchema, path: readonly string[]): boolean {
  const owner = schemaAt(root, path.slice(0, -1));
  return (owner['x-kubernetes-validations'] ?? []).some(
    ({ rule }) => rule.includes('exists_one') && rule.includes(`has(self.${path.at(-1)})`),
  );
}

/** An item of a list counts as the list. */
function schemaAt(schema: StructuralSchema, [step, ...rest]: readonly string[]): StructuralSchema {
  const object = schema.items ?? schema;
  if (step === undefined) return object;
  if (step === '0') return schemaAt(object, rest);
  const member = object.properties?.[step];
  assert.ok(member !== undefined, step);
  return rest.length === 0 ? member : schemaAt(member, rest);
}

/** Paths of all members below a schema; an item of a list counts as the list. */
function membersOf(schema: StructuralSchema, path: readonly string[] = []): ReadonlyArray<readonly string[]> {
  if (schema.items !== undefined) return membersOf(schema.items, path);
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const own = [...path, name];
    return [own, ...(SHARED_TYPES.has(name) ? [] : membersOf(child, own))];
  });
}

/** Fields with a type that another field shows in its examples. */
const SHARED_TYPES: ReadonlySet<string> = new Set(['allowOrigins', 'additionalOrigins', 'headerManipulation']);

function isSet(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item) => isSet(item, path));
  const [name, ...rest] = path;
  if (name === undefined) return value !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  return isSet((value as Readonly<Record<string, unknown>>)[name], rest);
}

test.run();
