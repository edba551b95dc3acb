/**
 * Modules as extensions that Envoys request by name. The agent inserts the module itself; these resources contain its
 * location.
 */
import type { XdsResource } from '@meshrelay/api';
import {
  type Any,
  codeOf,
  core,
  create,
  fault,
  httpConnectionManager,
  httpWasm,
  messageToJson,
  pack,
  StringValueSchema,
  typeUrlOf,
  type WasmModuleReference,
  wasm,
} from '@meshrelay/envoy-api';
import type { WasmFilterView, WasmSourceView } from '@meshrelay/relay-core';
import { fromAgent, share } from '../messages.ts';

const RUNTIME = 'envoy.wasm.runtime.v8';
/** The status for requests if a required module is missing: the same as if it fails. */
const UNAVAILABLE = 503;

/**
 * The same for all workloads of a cluster that run the filter; the name contains everything that is specific to a
 * namespace.
 */
export function extensionName({ source, position, from: [deployment] }: WasmFilterView, namespace: string): string {
  const { cluster = '', namespace: home = '', name = '' } = deployment ?? {};
  const own = source.kind === 'configMap' || (source.kind === 'image' && source.pullSecret !== undefined);
  return ['wasm', cluster === '' ? 'all' : `own-${cluster}`, home, name, position, ...(own ? [namespace] : [])].join(
    '/',
  );
}

/** References the extension. An Envoy that does not receive it in time passes requests without it, or rejects them. */
export function discoveredFilter(filter: WasmFilterView, namespace: string): httpConnectionManager.HttpFilter {
  const value = create(core.ExtensionConfigSourceSchema, {
    configSource: fromAgent(),
    defaultConfig: withoutModule(filter),
    typeUrls: [typeUrlOf(httpWasm.WasmSchema), typeUrlOf(fault.HTTPFaultSchema)],
  });
  const name = extensionName(filter, namespace);
  return create(httpConnectionManager.HttpFilterSchema, { name, configType: { case: 'configDiscovery', value } });
}

function withoutModule({ failOpen }: WasmFilterView): Any {
  if (failOpen) return pack(fault.HTTPFaultSchema, {});
  return pack(fault.HTTPFaultSchema, {
    abort: { errorType: { case: 'httpStatus', value: UNAVAILABLE }, percentage: share() },
  });
}

/** The extension as an XdsConfig resource. */
export function extensionResource(filter: WasmFilterView, namespace: string): XdsResource {
  const name = extensionName(filter, namespace);
  const { config, rootId, failOpen, source } = filter;
  const message = create(core.TypedExtensionConfigSchema, {
    name,
    typedConfig: pack(httpWasm.WasmSchema, {
      config: {
        name,
        rootId,
        vm: { case: 'vmConfig', value: { runtime: RUNTIME, code: codeOf(referenceTo(source, namespace)) } },
        ...(config === undefined ? {} : { configuration: pack(StringValueSchema, { value: JSON.stringify(config) }) }),
        failurePolicy: failOpen ? wasm.FailurePolicy.FAIL_OPEN : wasm.FailurePolicy.FAIL_CLOSED,
      },
    }),
  });
  return { type: 'extensionConfig', name, value: messageToJson(core.TypedExtensionConfigSchema, message) };
}

function referenceTo(source: WasmSourceView, namespace: string): WasmModuleReference {
  if (source.kind !== 'image') return source;
  const { pullSecret, ...rest } = source;
  return { ...rest, ...(pullSecret === undefined ? {} : { pullSecret: { namespace, name: pullSecret } }) };
}
