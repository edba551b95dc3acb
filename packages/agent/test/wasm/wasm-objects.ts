/** An XdsConfig with listeners that need a module, and one with the extension, as plugin-envoy writes them. */
import {
  codeOf,
  core,
  create,
  httpWasm,
  messageToJson,
  pack,
  type WasmModuleReference,
  wasm,
} from '@meshrelay/envoy-api';
import { OWNER_LABEL } from '@meshrelay/relay-core';
import { NAMESPACE } from '@meshrelay/test-cluster';

const TYPE = 'type.googleapis.com/envoy.extensions.filters';
const metadata = (name: string) => ({ name, namespace: NAMESPACE, labels: { [OWNER_LABEL]: NAMESPACE } });
export const EXTENSION = 'wasm/all/meshrelay/marks/0';

/** Whether requests pass or are rejected without the module. */
export interface Listening {
  readonly name: string;
  readonly failOpen: boolean;
}

export function listenersObject(listeners: readonly Listening[]) {
  return {
    apiVersion: 'agent.meshrelay.dev/v1alpha1',
    kind: 'XdsConfig',
    metadata: metadata('listeners'),
    spec: {
      proxies: [
        { namespace: 'shop', serviceAccount: 'reviews', listeners: listeners.map(({ name }) => name), clusters: [] },
      ],
      resources: listeners.map((one) => ({ type: 'listener', name: one.name, value: listener(one) })),
    },
  };
}

export function extensionObject(reference: WasmModuleReference) {
  const message = create(core.TypedExtensionConfigSchema, {
    name: EXTENSION,
    typedConfig: pack(httpWasm.WasmSchema, {
      config: {
        name: EXTENSION,
        vm: { case: 'vmConfig', value: { runtime: 'envoy.wasm.runtime.v8', code: codeOf(reference) } },
        failurePolicy: wasm.FailurePolicy.FAIL_CLOSED,
      },
    }),
  });
  const value = messageToJson(core.TypedExtensionConfigSchema, message);
  return {
    apiVersion: 'agent.meshrelay.dev/v1alpha1',
    kind: 'XdsConfig',
    metadata: metadata('extension'),
    spec: { resources: [{ type: 'extensionConfig', name: EXTENSION, value }] },
  };
}

function listener({ name, failOpen }: Listening) {
  const typed_config = {
    '@type': 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
    stat_prefix: name,
    route_config: {
      name,
      virtual_hosts: [
        {
          name: 'all',
          domains: ['*'],
          routes: [{ match: { prefix: '/' }, direct_response: { status: 200, body: { inline_string: 'hello' } } }],
        },
      ],
    },
    http_filters: [
      discovered(failOpen),
      { name: 'router', typed_config: { '@type': `${TYPE}.http.router.v3.Router` } },
    ],
  };
  return {
    name,
    address: { socket_address: { address: '127.0.0.1', port_value: 0 } },
    filter_chains: [{ filters: [{ name: 'http', typed_config }] }],
  };
}

function discovered(failOpen: boolean) {
  const refuse = { abort: { http_status: 503, percentage: { numerator: 100 } } };
  return {
    name: EXTENSION,
    config_discovery: {
      config_source: { ads: {}, resource_api_version: 'V3', initial_fetch_timeout: '2s' },
      default_config: { '@type': `${TYPE}.http.fault.v3.HTTPFault`, ...(failOpen ? {} : refuse) },
      type_urls: [`${TYPE}.http.wasm.v3.Wasm`, `${TYPE}.http.fault.v3.HTTPFault`],
    },
  };
}
