// Schemas must follow their interfaces: the compiler rejects one that lacks a field or has the wrong presence.
import { assert, test } from '@meshrelay/testing';
import { object } from '../../src/schema/object.ts';
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

test.run();
