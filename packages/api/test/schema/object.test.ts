// Schemas must follow their interfaces: the compiler rejects one that lacks a field or has the wrong presence.
import { assert, test } from '@meshrelay/testing';
import { descriptions } from '../../src/gen/descriptions.ts';
import { decodeObject } from '../../src/mod.ts';
import { object } from '../../src/schema/object.ts';
import { RENAMED_FIELDS } from '../../src/schema/renamed-fields.ts';
import { atMostOneOf, exactlyOneOf } from '../../src/schema/rule.ts';
import { flag, text } from '../../src/schema/scalar.ts';

interface Sample {
  readonly name: string;
  readonly alias?: string;
  readonly enabled?: boolean;
}

const sample = object<Sample>('Sample', { required: { name: text }, optional: { alias: text, enabled: flag } }, [
  atMostOneOf<Sample>('alias', 'enabled'),
]);

test('the compiler compares fields with the interface', () => {
  // @ts-expect-error alias is missing
  object<Sample>('Sample', { required: { name: text }, optional: { enabled: flag } });
  // @ts-expect-error name is required
  object<Sample>('Sample', { required: {}, optional: { name: text, alias: text, enabled: flag } });
  // @ts-expect-error enabled is a boolean
  object<Sample>('Sample', { required: { name: text }, optional: { alias: text, enabled: text } });
});

test('an optional field may be absent but not undefined', () => {
  assert.ok(sample.safeParse({ name: 'a' }).success);
  assert.not.ok(sample.safeParse({ name: 'a', alias: undefined }).success);
});

test('rules are evaluated only on values of the right shape', () => {
  const issues = sample.safeParse({ name: 5, alias: 'b', enabled: true }).error?.issues ?? [];
  assert.equal(
    issues.map(({ code }) => code),
    ['invalid_type'],
  );
  assert.match(
    String(sample.safeParse({ name: 'a', alias: 'b', enabled: true }).error?.issues[0]?.message),
    /both alias and enabled/,
  );
});

test('a rule is evaluated although another field broke one', () => {
  const twice = object<Sample>('Sample', { required: { name: text }, optional: { alias: text, enabled: flag } }, [
    exactlyOneOf<Sample>('alias', 'enabled'),
    { message: 'must be short', holds: ({ name }) => name.length < 5, field: 'name' },
  ]);
  assert.is(twice.safeParse({ name: 'far too long' }).error?.issues.length, 2);
});

test('a former name of a field is rejected with the new one', () => {
  const { problems = [] } = decodeObject({
    apiVersion: 'admin.meshrelay.dev/v1alpha1',
    kind: 'Ledger',
    metadata: { name: 'meshrelay', namespace: 'meshrelay' },
    spec: { clusters: [{ name: 'c1', firstSyncedAt: '2026-01-01T00:00:00Z' }] },
  });
  assert.equal(
    problems.map(({ message }) => message),
    [
      'spec.clusters[0].firstSyncTime is required and must be a string',
      'spec.clusters[0].firstSyncedAt is not a field of LedgerCluster; its name is now firstSyncTime',
    ],
  );
});

test('each new name of a field exists, and the former one does not', () => {
  for (const [name, fields] of Object.entries(RENAMED_FIELDS))
    for (const [before, after] of Object.entries(fields)) {
      assert.ok(descriptions[`${name}.${after}`] !== undefined, `${name}.${after}`);
      assert.is(descriptions[`${name}.${before}`], undefined);
    }
});

test.run();
