/** Rows of capability tables. */
import { assert, test } from '@meshrelay/testing';
import { rowsOf } from '../../src/plugin/capability.ts';

test('the rows of fields become one table', () => {
  const fields = {
    notPaths: { capabilities: { 'access.exclusions': 'native' } },
    notPorts: { capabilities: { 'access.exclusions': 'native' } },
    allowedPaths: { capabilities: { 'access.paths': { unsupported: 'no paths' } } },
  } as const;
  assert.equal(rowsOf<'access'>(fields), {
    'access.exclusions': 'native',
    'access.paths': { unsupported: 'no paths' },
  });
});

test('two fields that say different things of one capability are refused', () => {
  const fields = {
    notPaths: { capabilities: { 'access.exclusions': 'native' } },
    notPorts: { capabilities: { 'access.exclusions': { unsupported: 'no ports' } } },
  } as const;
  assert.throws(() => rowsOf<'access'>(fields), /access\.exclusions .*notPorts/);
});

test.run();
