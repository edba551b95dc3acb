/** Properties of server-side apply, for generated objects and managers. */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { type Json, type KubeObject, StatusError } from '../../src/object.ts';
import {
  difference,
  type FieldSet,
  isEmptySet,
  NO_FIELDS,
  readFieldsV1,
  union,
  writeFieldsV1,
} from '../../src/patch/field-set.ts';
import { ownedFields, withDeclaredParents } from '../../src/patch/owned-fields.ts';
import { asJson } from '../../src/patch/track-fields.ts';
import { apply, update, widget, widgetSchema } from './widget.ts';

const letter = fc.constantFrom('a', 'b', 'c');
const small = fc.constantFrom(1, 2, 3);
/** Members may be omitted. */
const optional = { requiredKeys: [], noNullPrototype: true } as { requiredKeys: []; noNullPrototype: true };

const port = fc.record({ name: letter, opts: fc.record({ a: letter, b: letter }, optional) }, optional);
const ports = fc
  .dictionary(fc.constantFrom('80', '81', '82'), port, { noNullPrototype: true })
  .map((byPort) => Object.entries(byPort).map(([number, rest]) => ({ port: Number(number), ...rest })));
const texts = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'));
const map = fc.dictionary(letter, letter, { noNullPrototype: true });

const spec = fc.record(
  {
    color: letter,
    size: small,
    ports,
    tags: texts,
    atom: texts,
    atomap: fc.record({ x: letter, y: letter }, optional),
    lab: map,
    free: fc.dictionary(letter, fc.oneof(letter, map, texts), { noNullPrototype: true }),
    nested: fc.record({ a: small, b: fc.record({ c: letter, d: letter }, optional) }, optional),
  },
  optional,
) as fc.Arbitrary<{ [name: string]: Json }>;

const step = fc.record({
  op: fc.constantFrom('apply', 'apply', 'update'),
  manager: fc.constantFrom('m1', 'm2', 'm3'),
  force: fc.boolean(),
  spec,
});
type AnyStep = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The object after these steps; rejected steps change nothing. */
function play(steps: readonly AnyStep[]): KubeObject {
  let live: KubeObject = apply('m1', widget({ color: 'a' }));
  for (const { op, manager, force, spec: requested } of steps) {
    try {
      live =
        op === 'apply'
          ? apply(manager, widget(requested), { live, force })
          : update(manager, widget(requested), { live });
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.code !== 409) throw error;
    }
  }
  return live;
}

function ownedBy(object: KubeObject, manager?: string): FieldSet {
  const entries = object.metadata.managedFields ?? [];
  return entries
    .filter((entry) => entry.operation === 'Apply' && (manager === undefined || entry.manager === manager))
    .map((entry) => readFieldsV1(entry.fieldsV1))
    .reduce(union, NO_FIELDS);
}

const claimsOf = (requested: Json): FieldSet => ownedFields(widgetSchema, { spec: requested });
const RUNS = { numRuns: scaledRuns(300) };

test('property: applying twice is the same as applying once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), spec, (steps, requested) => {
      const once = apply('m', widget(requested), { live: play(steps), force: true });
      assert.is(apply('m', widget(requested), { live: once, seconds: 60 }), once);
    }),
    RUNS,
  );
});

test('property: a forced apply gets its values, and owns exactly those fields', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), spec, (steps, requested) => {
      const object = apply('m', widget(requested), { live: play(steps), force: true });
      const claims = claimsOf(requested);
      assert.ok(isEmptySet(difference(claims, ownedBy(object, 'm'))));
      assert.ok(isEmptySet(difference(ownedBy(object, 'm'), claims)));
      const there = withDeclaredParents(widgetSchema, asJson(object), ownedFields(widgetSchema, asJson(object)));
      assert.ok(isEmptySet(difference(claims, there)), 'what was asked for is there');
    }),
    RUNS,
  );
});

test('property: managers of disjoint fields never conflict', () => {
  const [first, second] = [
    fc.constantFrom('color', 'tags', 'lab', 'free'),
    fc.constantFrom('size', 'ports', 'atom', 'nested'),
  ];
  fc.assert(
    fc.property(spec, spec, fc.array(first), fc.array(second), (all, others, mine, unmanaged) => {
      const pick = (from: { [name: string]: Json }, names: string[]): Json =>
        Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
      const live = apply('m1', widget(pick(all, mine)));
      const both = apply('m2', widget(pick(others, unmanaged)), { live });
      assert.equal(both['spec'], { ...(pick(all, mine) as object), ...(pick(others, unmanaged) as object) });
    }),
    RUNS,
  );
});

test('property: a rejected apply would have taken a field from another manager, an accepted one takes none', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), spec, (steps, requested) => {
      const live = play(steps);
      const others = (object: KubeObject): FieldSet =>
        (object.metadata.managedFields ?? [])
          .filter(({ manager, operation }) => manager !== 'm' || operation !== 'Apply')
          .map((entry) => readFieldsV1(entry.fieldsV1))
          .reduce(union, NO_FIELDS);
      const forced = apply('m', widget(requested), { live, force: true });
      const lost = difference(others(live), others(forced));
      let refused = false;
      try {
        apply('m', widget(requested), { live });
      } catch {
        refused = true;
      }
      assert.is(refused, !isEmptySet(lost));
    }),
    RUNS,
  );
});

test('property: missing fields have no owner', () => {
  const filled = step.map((any) => {
    const { free: _, ...known } = any.spec;
    return { ...any, spec: { color: 'a', ...(withoutEmpty(known) as object) } };
  });
  fc.assert(
    fc.property(fc.array(filled, { maxLength: 8 }), (steps) => {
      const object = play(steps);
      const missing = difference(ownedBy(object), ownedFields(widgetSchema, asJson(object)));
      assert.ok(isEmptySet(missing), JSON.stringify(writeFieldsV1(missing)));
    }),
    RUNS,
  );
});

/**
 * The value without empty lists and objects. A manager that states those owns a container that others may fill and
 * empty again. So does the owner of an object in undescribed content. Such managers keep owning what no longer exists,
 * as on a real server.
 */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(
    entries.filter(([, member]) => typeof member !== 'object' || member === null || Object.keys(member).length > 0),
  );
}

test('property: omitting all fields removes exactly those without another owner', () => {
  fc.assert(
    fc.property(spec, spec, (mine, unmanaged) => {
      const alone = apply('m2', widget(unmanaged));
      const both = apply('m1', widget(mine), { live: alone, force: true });
      const left = apply('m1', widget(undefined), { live: both });
      assert.ok(isEmptySet(ownedBy(left, 'm1')));
      const gone = difference(claimsOf(mine), ownedBy(both, 'm2'));
      const scalars = ['color', 'size', 'atom', 'atomap'].filter((name) =>
        gone.children.get('f:spec')?.children.has(`f:${name}`),
      );
      for (const name of scalars) assert.is(left['spec']?.[name], undefined, name);
    }),
    RUNS,
  );
});

test('property: the applied object is never changed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 3 }), spec, (steps, requested) => {
      const live = play(steps);
      const [before, applied] = [JSON.stringify(live), widget(requested)];
      const sent = JSON.stringify(applied);
      apply('m', applied, { live, force: true });
      assert.is(JSON.stringify(live), before);
      assert.is(JSON.stringify(applied), sent);
    }),
    RUNS,
  );
});

test.run();
