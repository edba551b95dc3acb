/** References to modules survive the conversion to Envoy's messages and JSON. */
import { assert, test } from '@meshrelay/testing';
import {
  codeOf,
  core,
  create,
  httpWasm,
  messageFromJson,
  messageToJson,
  pack,
  referenceIn,
  unpack,
  type WasmModuleReference,
} from '../../src/mod.ts';
import { violations } from '../../src/xds/mod.ts';

const SHA = 'ab'.repeat(32);

function around(reference: WasmModuleReference): WasmModuleReference | undefined {
  const message = create(core.TypedExtensionConfigSchema, {
    name: 'x',
    typedConfig: pack(httpWasm.WasmSchema, {
      config: { vm: { case: 'vmConfig', value: { runtime: 'envoy.wasm.runtime.v8', code: codeOf(reference) } } },
    }),
  });
  assert.equal(violations(core.TypedExtensionConfigSchema, message), []);
  const json = JSON.parse(JSON.stringify(messageToJson(core.TypedExtensionConfigSchema, message)));
  const { typedConfig } = messageFromJson(core.TypedExtensionConfigSchema, json);
  const vm = unpack(typedConfig, httpWasm.WasmSchema)?.config?.vm;
  return referenceIn(vm?.case === 'vmConfig' ? vm.value.code : undefined);
}

for (const reference of [
  { kind: 'http', uri: 'https://modules.example.com/a.wasm?b=c', sha256: SHA },
  { kind: 'image', image: 'registry.example.com:5000/filters/auth:v1' },
  { kind: 'image', image: `registry.example.com/auth@sha256:${SHA}`, sha256: SHA },
  { kind: 'image', image: 'registry.example.com/auth:v1', pullSecret: { namespace: 'shop', name: 'registry' } },
  { kind: 'configMap', namespace: 'shop', name: 'modules', key: 'auth.wasm' },
  { kind: 'configMap', namespace: 'shop', name: 'modules', key: 'auth.wasm', sha256: SHA },
] satisfies WasmModuleReference[])
  test(`${reference.kind} ${JSON.stringify(reference).slice(0, 60)}`, () => assert.equal(around(reference), reference));

test('code that Envoy should fetch itself is not a reference', () => {
  const code = create(core.AsyncDataSourceSchema, {
    specifier: {
      case: 'remote',
      value: { sha256: SHA, httpUri: { uri: 'https://a/b', httpUpstreamType: { case: 'cluster', value: 'mine' } } },
    },
  });
  assert.is(referenceIn(code), undefined);
  assert.is(referenceIn(undefined), undefined);
});

test.run();
