// Examples of the fields of a TrafficPolicy.
import { assert, test } from '@meshrelay/testing';
import type { StructuralSchema } from '../../src/crds/mod.ts';
import { decodeObject, TRAFFIC_FIELDS } from '../../src/mod.ts';
import { schemaOf } from '../support/fields.ts';

const policy = schemaOf('TrafficPolicy').properties?.['spec']?.properties?.['policy'];

for (const [name, { examples }] of Object.entries(TRAFFIC_FIELDS)) {
  test(`the examples of ${name} are valid`, () => {
    for (const example of examples) {
      const object = {
        apiVersion: 'networking.meshrelay.dev/v1alpha1',
        kind: 'TrafficPolicy',
        metadata: { name: 'example', namespace: 'meshrelay' },
        spec: { policy: { [name]: example } },
      };
      assert.equal(decodeObject(object), { object, reports: [] });
    }
  });

  test(`the examples of ${name} set every member`, () => {
    const schema = policy?.properties?.[name];
    assert.ok(schema !== undefined);
    assert.equal(
      membersOf(schema).filter((path) => !examples.some((example) => isSet(example, path))),
      [],
    );
  });
}

/** Paths of all members below a schema; an item of a list counts as the list. HTTP matches have examples elsewhere. */
function membersOf(schema: StructuralSchema, path: readonly string[] = []): ReadonlyArray<readonly string[]> {
  if (schema.items !== undefined) return membersOf(schema.items, path);
  return Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const own = [...path, name];
    return [own, ...(STRING_MATCHES.has(name) || name === 'headerManipulation' ? [] : membersOf(child, own))];
  });
}

const STRING_MATCHES: ReadonlySet<string> = new Set(['allowOrigins', 'additionalOrigins']);

function isSet(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item) => isSet(item, path));
  const [name, ...rest] = path;
  if (name === undefined) return value !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  return isSet((value as Readonly<Record<string, unknown>>)[name], rest);
}

test.run();
