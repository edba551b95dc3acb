/** Rows of capability tables. */

import { assert, test } from '@meshrelay/testing';
import { capabilities, rowsOf, VIEW_FIELDS } from '../src/mod.ts';

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

test('a table from a few entries declares every other field unsupported', () => {
  const table = capabilities('Lantern has no API for it', {
    'route.timeout': 'native',
    'route.mirror': { degraded: 'all or nothing' },
  });
  assert.equal(Object.keys(table).sort(), [...VIEW_FIELDS].sort());
  assert.is(table['route.timeout'], 'native');
  assert.equal(table['route.mirror'], { degraded: 'all or nothing' });
  const others = VIEW_FIELDS.filter((field) => field !== 'route.timeout' && field !== 'route.mirror');
  for (const field of others) assert.equal(table[field], { unsupported: 'Lantern has no API for it' }, field);
});

test('a table from a few entries retains unknown names, which loading rejects', () => {
  const misspelt = { 'route.timeouts': 'native' } as Parameters<typeof capabilities>[1];
  assert.ok('route.timeouts' in capabilities('no API', misspelt));
});

test.run();
