/** Patched user fields through any sequence of operations, edits and crashes: the user's values come back. */
import type { JsonValue, KubeObject, PatchedField } from '@meshrelay/api';
import type { PatchOperation } from '@meshrelay/relay-core';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { Field } from '../../../src/apply/patch/field-path.ts';
import { planOperation, planRestore } from '../../../src/apply/patch/plan.ts';

const PLAIN = 'spec.traffic.permissive';
const YAML = 'data.mesh:yaml/aliases';

const identity = (fieldPath: string) => ({
  patch: 'p',
  apiVersion: 'v1',
  kind: 'Thing',
  namespace: 'n',
  name: 'x',
  fieldPath,
});

/**
 * A user's object and the ledger's record, as an agent finds them. Each step may be interrupted before it writes the
 * object.
 */
class Scene {
  object: KubeObject | undefined;
  record: PatchedField | undefined;
  left = 0;
  readonly fieldPath: string;

  constructor(fieldPath: string, content: object, uid = 'u1') {
    this.fieldPath = fieldPath;
    this.make(content, uid);
  }

  make(content: object, uid: string): void {
    this.object = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { name: 'x', namespace: 'n', uid },
      ...content,
    } as KubeObject;
  }

  get value(): JsonValue | undefined {
    return this.object === undefined ? undefined : new Field(this.fieldPath).valueIn(this.object);
  }

  user(value: JsonValue | undefined): void {
    if (this.object === undefined) return;
    const field = new Field(this.fieldPath);
    this.object = value === undefined ? field.remove(this.object, 99) : field.set(this.object, value);
  }

  operation(operation: PatchOperation, cut = false): boolean {
    if (this.object === undefined) return false;
    return this.#carryOut(planOperation(identity(this.fieldPath), this.object, operation, this.record), cut);
  }

  restore(cut = false): boolean {
    return this.record === undefined ? false : this.#carryOut(planRestore(this.object, this.record), cut);
  }

  #carryOut({ record, write, drop, left }: ReturnType<typeof planOperation>, cut: boolean): boolean {
    if (record !== undefined) this.record = record ?? undefined;
    if (write !== undefined && cut) return true;
    if (write !== undefined) this.object = write;
    if (drop === true) this.record = undefined;
    if (left === true) this.left++;
    return write !== undefined || record !== undefined;
  }
}

test('a value is set once, and the previous value comes back', () => {
  const scene = new Scene(PLAIN, { spec: { traffic: { permissive: true, other: 1 } } });
  assert.ok(scene.operation({ set: false }));
  assert.is(scene.value, false);
  assert.not.ok(scene.operation({ set: false }), 'the second time nothing is written');
  scene.restore();
  assert.equal((scene.object as { spec?: unknown }).spec, { traffic: { permissive: true, other: 1 } });
  assert.is(scene.record, undefined);
});

test('a missing field is removed again, with the parents created for it', () => {
  for (const spec of [undefined, {}, { traffic: {} }, { traffic: { other: 1 }, a: [] }]) {
    const scene = new Scene(PLAIN, spec === undefined ? {} : { spec });
    scene.operation({ set: false });
    assert.is(scene.value, false);
    scene.restore();
    assert.equal((scene.object as { spec?: unknown }).spec, spec);
  }
});

test('fields that others add next to it meanwhile stay', () => {
  const scene = new Scene(PLAIN, {});
  scene.operation({ set: false });
  scene.object = { ...scene.object, spec: { traffic: { permissive: false, mine: 1 } } } as unknown as KubeObject;
  scene.restore();
  assert.equal((scene.object as { spec?: unknown }).spec, { traffic: { mine: 1 } });
});

test('a value that already matches is not managed, so it stays when the patch is removed', () => {
  const set = new Scene(PLAIN, { spec: { traffic: { permissive: false } } });
  assert.not.ok(set.operation({ set: false }));
  assert.is(set.record, undefined);
  const list = new Scene(YAML, { data: { mesh: 'aliases: [a, b]\n' } });
  assert.not.ok(list.operation({ include: ['b'] }));
  assert.is(list.record, undefined);
});

test('a value that the user sets while patched is overwritten, and is the one that comes back', () => {
  const scene = new Scene(PLAIN, { spec: { traffic: { permissive: 'one' } } });
  scene.operation({ set: false });
  scene.user('two');
  assert.ok(scene.operation({ set: false }));
  scene.restore();
  assert.is(scene.value, 'two');
});

test('the last change of the user stays, and is reported', () => {
  const scene = new Scene(PLAIN, { spec: { traffic: { permissive: true } } });
  scene.operation({ set: false });
  scene.user('mine');
  scene.restore();
  assert.is(scene.value, 'mine');
  assert.is(scene.left, 1);
  assert.is(scene.record, undefined);
});

test('an operation that changes keeps the first previous value', () => {
  const scene = new Scene(PLAIN, { spec: { traffic: { permissive: 'theirs' } } });
  scene.operation({ set: 1 });
  scene.operation({ set: 2 }, true);
  scene.operation({ set: 3 });
  scene.restore();
  assert.is(scene.value, 'theirs');
});

test('a recreated object is planned from scratch', () => {
  const scene = new Scene(PLAIN, { spec: { traffic: { permissive: true } } });
  scene.operation({ set: false });
  scene.make({ spec: { traffic: { permissive: 'new' } } }, 'u2');
  scene.operation({ set: false });
  scene.restore();
  assert.is(scene.value, 'new');
  scene.operation({ set: false });
  scene.make({ spec: { traffic: { permissive: false } } }, 'u3');
  scene.restore();
  assert.is(scene.value, false, 'the new one has no patched field');
  scene.operation({ set: true });
  scene.object = undefined;
  scene.restore();
  assert.is(scene.record, undefined);
});

test('members are added to a list, and only those are removed', () => {
  const text = '# mine\ntrustDomain: one\naliases:\n- a # first\n- b\nlast: 1\n';
  const scene = new Scene(YAML, { data: { mesh: text } });
  scene.operation({ include: ['b', 'c', 'd'] });
  assert.equal(scene.value, ['a', 'b', 'c', 'd']);
  scene.operation({ include: ['c'] });
  assert.equal(scene.value, ['a', 'b', 'c']);
  scene.user(['a', 'b', 'c', 'user']);
  scene.restore();
  assert.equal(scene.value, ['a', 'b', 'user']);
  scene.user(['a', 'b']);
  assert.is((scene.object as unknown as { data: { mesh: string } }).data.mesh, text);
});

test('a list that did not exist is removed with its last member, unless the user has added some', () => {
  const text = 'trustDomain: one\n';
  const scene = new Scene(YAML, { data: { mesh: text } });
  scene.operation({ include: ['c'] });
  scene.restore();
  assert.is((scene.object as unknown as { data: { mesh: string } }).data.mesh, text);
  scene.operation({ include: ['c'] });
  scene.user(['c', 'mine']);
  scene.restore();
  assert.equal(scene.value, ['mine']);
});

test('any sequence of operations, edits and crashes ends with what the user wrote last', () => {
  const values = fc.constantFrom<JsonValue | undefined>(true, false, 'x', undefined);
  // The user never writes exactly the desired value: otherwise the owner of the value would be undefined.
  const step = fc.oneof(
    fc.record({ do: fc.constant('wish' as const), value: fc.constantFrom<JsonValue>(1, 2), cut: fc.boolean() }),
    fc.record({ do: fc.constant('restore' as const), cut: fc.boolean() }),
    fc.record({ do: fc.constant('user' as const), value: values }),
  );
  fc.assert(
    fc.property(values, fc.array(step, { maxLength: 12 }), (first, steps) => {
      const scene = new Scene(PLAIN, { spec: { traffic: first === undefined ? {} : { permissive: first } } });
      let unmanaged = first;
      for (const one of steps) {
        if (one.do === 'user') {
          scene.user(one.value);
          unmanaged = one.value;
        } else if (one.do === 'wish') {
          scene.operation({ set: one.value }, one.cut);
          if (!one.cut) assert.equal(scene.value, one.value);
        } else scene.restore(one.cut);
      }
      scene.restore();
      assert.equal(scene.value, unmanaged);
      assert.is(scene.record, undefined);
    }),
    { numRuns: scaledRuns(300) },
  );
});

test('a member of a missing list creates the list, and removes it with itself', () => {
  const fieldPath = 'data.mesh:yaml/providers/[member]';
  const object = {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'x', namespace: 'n', uid: 'u' },
    data: { mesh: '# mine\ntrustDomain: a\n' },
  } as unknown as KubeObject;
  const { record, write } = planOperation(identity(fieldPath), object, { set: { name: 'member' } }, undefined);
  assert.equal(new Field(fieldPath).valueIn(write as KubeObject), { name: 'member' });
  assert.equal(planRestore(write as KubeObject, record as PatchedField).write, object);
});

test.run();
