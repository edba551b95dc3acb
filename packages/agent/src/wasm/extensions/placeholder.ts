/** Extensions as objects have them: all but the module, which they name. */
import {
  core,
  create,
  fromBinary,
  httpWasm,
  type JsonObject,
  messageFromJson,
  pack,
  referenceIn,
  toBinary,
  unpack,
  type WasmModuleReference,
} from '@meshrelay/envoy-api';
import { type Hash, resourceOf, type XdsResource } from '@meshrelay/envoy-api/xds';
import type { Module } from '../modules/modules.ts';

/** An extension that lacks its module. */
export interface Placeholder {
  readonly name: string;
  readonly reference: WasmModuleReference;
  readonly config: httpWasm.Wasm;
}

/** The extension as a placeholder; undefined where it is another, or cannot be read, which is told by whoever serves it as it is. */
export function placeholderIn(name: string, value: JsonObject): Placeholder | undefined {
  let config: httpWasm.Wasm | undefined;
  try {
    const { typedConfig } = messageFromJson(core.TypedExtensionConfigSchema, value);
    config = typedConfig === undefined ? undefined : unpack(typedConfig, httpWasm.WasmSchema);
  } catch {
    return undefined;
  }
  const reference = referenceIn(codeIn(config));
  return config === undefined || reference === undefined ? undefined : { name, reference, config };
}

/**
 * The extension with its module. Its machine is shared with no other: one that failed fails all that run in it, and one that is replaced would take its successor with it.
 */
export function filled({ name, config }: Placeholder, { sha256, bytes }: Module, hash: Hash): XdsResource {
  const own = fromBinary(httpWasm.WasmSchema, toBinary(httpWasm.WasmSchema, config));
  const { vmConfig } = vmOf(own) ?? {};
  const machine = hash(toBinary(httpWasm.WasmSchema, config));
  if (vmConfig !== undefined) {
    vmConfig.vmId = `${sha256.slice(0, 32)}.${machine}`;
    vmConfig.code = create(core.AsyncDataSourceSchema, {
      specifier: { case: 'local', value: { specifier: { case: 'inlineBytes', value: bytes } } },
    });
  }
  const message = create(core.TypedExtensionConfigSchema, { name, typedConfig: pack(httpWasm.WasmSchema, own) });
  return resourceOf('extensionConfig', name, message, hash);
}

function codeIn(config: httpWasm.Wasm | undefined): core.AsyncDataSource | undefined {
  return config === undefined ? undefined : vmOf(config)?.vmConfig?.code;
}

function vmOf({ config }: httpWasm.Wasm): { readonly vmConfig: VmConfig | undefined } | undefined {
  return config?.vm.case === 'vmConfig' ? { vmConfig: config.vm.value } : undefined;
}

type VmConfig = Extract<NonNullable<httpWasm.Wasm['config']>['vm'], { case: 'vmConfig' }>['value'];
