/** Extensions as objects contain them: complete except for the module, which they name. */
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

/**
 * Reads the extension as a placeholder. Returns undefined if it is another extension or unreadable; the code that
 * serves it unchanged reports the latter.
 */
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
 * The extension with its module. It shares its VM with no other extension. A failed VM fails every extension in it, and
 * a replaced extension would take down its successor.
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
