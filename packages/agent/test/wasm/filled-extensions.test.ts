/** Extensions get their modules before they are served, and no Envoy loses anything meanwhile. */
import { Buffer } from 'node:buffer';
import {
  codeOf,
  core,
  create,
  httpWasm,
  type JsonObject,
  messageToJson,
  pack,
  unpack,
  type WasmModuleReference,
} from '@meshrelay/envoy-api';
import { type ShardSpec, XdsCatalog } from '@meshrelay/envoy-api/xds';
import { assert, test } from '@meshrelay/testing';
import { hashOf } from '../../src/data-plane/data-plane.ts';
import { FilledExtensions } from '../../src/wasm/extensions/filled-extensions.ts';
import { idOf, type ModuleState } from '../../src/wasm/modules/modules.ts';
import { MODULE, MODULE_SHA } from './hosts.ts';

const reference = (path: string): WasmModuleReference => ({
  kind: 'http',
  uri: `https://a.example.com/${path}`,
  sha256: MODULE_SHA,
});
const READY: ModuleState = { module: { sha256: MODULE_SHA, bytes: MODULE } };

function extension(name: string, of: WasmModuleReference, rootId = ''): NonNullable<ShardSpec['resources']>[number] {
  const config = {
    rootId,
    vm: { case: 'vmConfig', value: { runtime: 'envoy.wasm.runtime.v8', code: codeOf(of) } },
  } as const;
  const message = create(core.TypedExtensionConfigSchema, { name, typedConfig: pack(httpWasm.WasmSchema, { config }) });
  return {
    type: 'extensionConfig',
    name,
    value: messageToJson(core.TypedExtensionConfigSchema, message) as JsonObject,
  };
}

function setUp() {
  const catalog = new XdsCatalog({ hash: hashOf });
  const states = new Map<string, ModuleState>();
  const required = new Set<string>();
  const extensions = new FilledExtensions({
    catalog,
    hash: hashOf,
    modules: {
      need: (one) => {
        required.add(idOf(one));
        return states.get(idOf(one)) ?? {};
      },
      release: (one) => void required.delete(idOf(one)),
    },
  });
  const become = (one: WasmModuleReference, state: ModuleState): void => {
    states.set(idOf(one), state);
    extensions.moduleChanged(one);
  };
  const config = (name: string) => {
    const resource = catalog.get({ type: 'extensionConfig', name });
    const message = resource && unpack(resource.any, core.TypedExtensionConfigSchema);
    const vm = unpack(message?.typedConfig, httpWasm.WasmSchema)?.config;
    return vm?.vm.case === 'vmConfig' ? { rootId: vm.rootId, ...vm.vm.value } : undefined;
  };
  const awaited = (name: string): boolean => catalog.isAwaited({ type: 'extensionConfig', name });
  return { catalog, extensions, required, become, config, awaited };
}

test('an extension is pending until its module is available, and then contains it', () => {
  const { extensions, become, config, awaited, catalog } = setUp();
  extensions.set('a', { resources: [extension('e', reference('1'))] });
  assert.ok(awaited('e'));
  assert.is(config('e'), undefined);
  assert.equal(extensions.state('e'), {});
  become(reference('1'), READY);
  assert.not(awaited('e'));
  const { code } = config('e')?.code?.specifier.case === 'local' ? { code: config('e')?.code?.specifier.value } : {};
  assert.equal(Buffer.from((code as core.DataSource | undefined)?.specifier.value as Uint8Array), MODULE);
  assert.ok(config('e')?.vmId.startsWith(MODULE_SHA.slice(0, 32)));
  assert.is(extensions.state('e')?.version, catalog.get({ type: 'extensionConfig', name: 'e' })?.version);
});

test('the served version stays while its successor is not available', () => {
  const { extensions, become, config, awaited } = setUp();
  become(reference('1'), READY);
  extensions.set('a', { resources: [extension('e', reference('1'), 'one')] });
  extensions.set('a', { resources: [extension('e', reference('2'), 'two')] });
  assert.is(config('e')?.rootId, 'one');
  assert.not(awaited('e'), 'something is served');
  assert.equal(extensions.state('e'), {});
  become(reference('2'), { reason: 'it has another hash' });
  assert.is(config('e')?.rootId, 'one');
  assert.equal(extensions.state('e'), { reason: 'it has another hash' });
  become(reference('2'), READY);
  assert.is(config('e')?.rootId, 'two');
});

test('extensions of one module have separate VMs', () => {
  const { extensions, become, config } = setUp();
  become(reference('1'), READY);
  extensions.set('a', { resources: [extension('e', reference('1'), 'one'), extension('f', reference('1'), 'two')] });
  assert.is.not(config('e')?.vmId, config('f')?.vmId);
});

test('an extension that several objects contain is one, and is removed with the last of them', () => {
  const { extensions, become, config, required, catalog } = setUp();
  become(reference('1'), READY);
  const proxies = [{ namespace: 'x', serviceAccount: 'y', listeners: [], clusters: [] }];
  extensions.set('b', { proxies, resources: [extension('e', reference('1'))] });
  extensions.set('a', { resources: [extension('e', reference('1'))] });
  assert.is(required.size, 1);
  assert.equal(extensions.objectsOf('e'), ['a', 'b']);
  extensions.delete('a');
  assert.ok(config('e'));
  extensions.set('b', { proxies });
  assert.is(config('e'), undefined);
  assert.is(extensions.state('e'), undefined);
  assert.is(required.size, 0, 'its module is wanted no more');
  assert.equal(catalog.bad(), []);
});

test('all other resources of an object pass unchanged', () => {
  const { extensions, catalog } = setUp();
  const resources = [
    { type: 'cluster', name: 'c', value: { name: 'c' } },
    {
      type: 'extensionConfig',
      name: 'other',
      value: {
        name: 'other',
        typedConfig: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
      },
    },
    { type: 'extensionConfig', name: 'broken', value: { nonsense: true } },
  ] as const;
  extensions.set('a', { resources });
  assert.ok(catalog.get({ type: 'cluster', name: 'c' }));
  assert.ok(catalog.get({ type: 'extensionConfig', name: 'other' }));
  assert.equal(
    catalog.bad().map(({ name }) => name),
    ['broken'],
  );
  extensions.delete('a');
  assert.is(catalog.get({ type: 'cluster', name: 'c' }), undefined);
});

test.run();
