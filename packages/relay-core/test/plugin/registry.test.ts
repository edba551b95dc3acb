/** Plugins are validated on load; each error names the module. */

import type { StandardSchema } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import { loadPlugins } from '../../src/mod.ts';
import { fakePlugin } from '../support/fake-plugin.ts';

const { plugin } = fakePlugin();
const load = (given: unknown, settings?: unknown) => () =>
  loadPlugins([{ module: 'their-plugin', plugin: given, settings }]);
const schema = (validate: StandardSchema<unknown>['~standard']['validate']): StandardSchema<unknown> => ({
  '~standard': { version: 1, vendor: 'test', validate },
});

for (const [what, given, message] of [
  ['nothing', undefined, /their-plugin: its default export is not a mesh plugin/],
  ['something else', { name: 'x' }, /their-plugin: its default export is not a mesh plugin/],
  ['another contract', { ...plugin, contract: 2 }, /their-plugin: it has contract 2, this program knows contract 1/],
  [
    'a table with a hole',
    { ...plugin, capabilities: { ...plugin.capabilities, 'route.fault': undefined } },
    /their-plugin: .*route\.fault/,
  ],
  ['no name', { ...plugin, name: '' }, /its name is ""; expected lower case letters/],
  ['a name that is not a label', { ...plugin, name: 'My Mesh' }, /its name is "My Mesh"/],
  ...['yes', null, { unsuported: 'not here' }, { unsupported: '' }, { degraded: 'a', always: 'b' }].map(
    (claim) =>
      [
        `the claim ${JSON.stringify(claim)}`,
        { ...plugin, capabilities: { ...plugin.capabilities, 'route.fault': claim } },
        /their-plugin: its capability table says .* of route\.fault; expected 'native', or \{ always \}/,
      ] as const,
  ),
  [
    'a misspelt member',
    { ...plugin, translatDestination: plugin.translateDestination },
    /their-plugin: translatDestination is not a member of mesh plugins; did you mean translateDestination\?/,
  ],
  [
    'a member of its own',
    { ...plugin, lighthouse: true },
    /their-plugin: lighthouse is not a member of mesh plugins, remove it/,
  ],
  [
    'an unknown capability',
    { ...plugin, capabilities: { ...plugin.capabilities, 'route.timeouts': 'native' } },
    /their-plugin: route\.timeouts is not a capability; did you mean route\.timeout\?/,
  ],
  ...[
    {
      group: 'rbac.authorization.k8s.io',
      version: 'v1',
      kind: 'ClusterRole',
      plural: 'clusterroles',
      namespaced: false,
    },
    { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
  ].map(
    (kind) =>
      [
        `writing ${kind.kind}`,
        { ...plugin, writes: [kind] },
        new RegExp(
          `their-plugin: its "writes" has ${kind.group || 'v1'} ${kind.kind}, which no plugin may write .*; remove it`,
        ),
      ] as const,
  ),
  ...(['watches', 'writes', 'reads'] as const).map(
    (list) =>
      [
        `a kind without its plural in ${list}`,
        { ...plugin, [list]: [{ group: 'a.example', version: 'v1', kind: 'A', namespaced: true }] },
        new RegExp(`their-plugin: its "${list}" has .*"kind":"A".*; expected group .* plural and namespaced`),
      ] as const,
  ),
] as const) {
  test(`${what} is rejected`, () => assert.throws(load(given), message));
}

test('a mesh type defined twice is rejected, naming both modules', () => {
  assert.throws(
    () =>
      loadPlugins([
        { module: 'one', plugin },
        { module: 'two', plugin },
      ]),
    /plugin two: the mesh type "fake" is already taken by one/,
  );
});

test('settings are parsed by the schema', () => {
  const settings = schema((value) => ({ value: { parsed: value } }));
  assert.equal(load({ ...plugin, settings }, { a: 1 })()[0]?.settings, { parsed: { a: 1 } });
  assert.equal(load({ ...plugin, settings })()[0]?.settings, { parsed: {} });
});

test('wrong settings are reported with their path', () => {
  const settings = schema(() => ({ issues: [{ message: 'must be a number', path: ['a', 'b'] }] }));
  assert.throws(load({ ...plugin, settings }, {}), /their-plugin: bad settings: a\.b: must be a number/);
});

test('settings for a plugin without a schema are rejected', () => {
  assert.throws(load(plugin, {}), /it takes no settings/);
});

test('settings whose schema validates asynchronously are rejected', () => {
  assert.throws(load({ ...plugin, settings: schema(async () => undefined) }, {}), /asynchronously/);
});

test.run();
