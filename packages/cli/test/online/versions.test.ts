/** Versions are compared by their minor releases. */
import { assert, test } from '@meshrelay/testing';
import { areApart, areNeighbours, isAtLeast, isNewer } from '../../src/online/versions.ts';

for (const [version, oldest, expected] of [
  ['v3.14.0', '3.14', true],
  ['v3.13.9', '3.14', false],
  ['v4.0.0-rc.1', '3.14', true],
  ['v1.30.1+k3s1', '1.30', true],
  ['v1.9.0', '1.30', false],
  ['2.14.0', '3.14', false],
  ['', '3.14', false],
  ['unknown', '3.14', false],
] as const)
  test(`${JSON.stringify(version)} is ${expected ? '' : 'not '}at least ${oldest}`, () => {
    assert.is(isAtLeast(version, oldest), expected);
  });

test('patch releases of one minor release are equal', () => {
  assert.not(isNewer('1.2.9', '1.2.0'));
  assert.ok(isNewer('1.3.0', '1.2.9'));
  assert.ok(isNewer('2.0.0', '1.9.0'));
  assert.not(isNewer('1.9.0', '2.0.0'));
});

test('neighbours are at most one minor release apart; text without a version has no neighbour except itself', () => {
  assert.ok(areNeighbours('0.1.0', 'meshrelay/0.2.7'));
  assert.not(areNeighbours('0.1.0', '0.3.0'));
  assert.not(areNeighbours('0.1.0', '1.1.0'));
  assert.ok(areNeighbours('dev', 'dev'));
  assert.not(areNeighbours('dev', '0.1.0'));
  assert.ok(areApart('0.1.0', '0.3.0'));
  assert.not(areApart('dev', '0.1.0'));
});

test.run();
