/**
 * Modules as extensions that Envoys request by name. The agent inserts the module itself; these resources contain its
 * location.
 */
import type { XdsResource } from '@meshrelay/api';
import {
  codeOf,
  core,
  create,
  fault,
  httpConnectionManager,
  httpWasm,
  messageToJson,
  pack,
  typeUrlOf,
} from '@meshrelay/envoy-api';
import type { WasmFilterView } from '@meshrelay/plugin';
import { fromAgent } from '../messages.ts';
import { withoutModule } from './failure-policy.ts';
import { pluginConfigOf, referenceTo } from './mod.ts';

const RUNTIME = 'envoy.wasm.runtime.v8';

/**
 * The same for all workloads of a cluster that run the filter; the name contains everything that is specific to a
 * namespace.
 */
function extensionName({ source, position, from: [deployment] }: WasmFilterView, namespace: string): string {
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

/** The extension as an XdsConfig resource. */
export function extensionResource(filter: WasmFilterView, namespace: string): XdsResource {
  const name = extensionName(filter, namespace);
  const message = create(core.TypedExtensionConfigSchema, {
    name,
    typedConfig: pack(httpWasm.WasmSchema, {
      config: {
        name,
        vm: { case: 'vmConfig', value: { runtime: RUNTIME, code: codeOf(referenceTo(filter.source, namespace)) } },
        ...pluginConfigOf(filter),
      },
    }),
  });
  return { type: 'extensionConfig', name, value: messageToJson(core.TypedExtensionConfigSchema, message) };
}
