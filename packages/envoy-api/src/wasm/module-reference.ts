/**
 * Reference to a Wasm module in a configuration, until an agent replaces it by the module itself. It uses Envoy's own
 * message for remote code, so that objects hold plain Envoy configuration and never bytes.
 */
import { create } from '@bufbuild/protobuf';
import { DurationSchema } from '@bufbuild/protobuf/wkt';
import {
  type AsyncDataSource,
  AsyncDataSourceSchema,
  RemoteDataSourceSchema,
} from '../gen/envoy/config/core/v3/base_pb.ts';
import { HttpUriSchema } from '../gen/envoy/config/core/v3/http_uri_pb.ts';

/** A module, and its source. */
export type WasmModuleReference =
  | { readonly kind: 'http'; readonly uri: string; readonly sha256: string }
  | {
      readonly kind: 'image';
      readonly image: string;
      /** Hash of the module; omitted: any module in the image. */
      readonly sha256?: string;
      readonly pullSecret?: { readonly namespace: string; readonly name: string };
    }
  | {
      readonly kind: 'configMap';
      readonly namespace: string;
      readonly name: string;
      readonly key: string;
      readonly sha256?: string;
    };

/** The cluster name in such code. No such cluster exists, since no Envoy should fetch the module. */
export const MODULE_CLUSTER = 'meshrelay.module';
/** Envoy requires a hash for all remote code. */
const ANY_SHA256 = 'any';
const SCHEME = /^(oci|configmap):\/\/([^?]*)(?:\?(.*))?$/;

/** The reference as code of a Wasm configuration. */
export function codeOf(reference: WasmModuleReference): AsyncDataSource {
  const { sha256 = ANY_SHA256 } = reference;
  return create(AsyncDataSourceSchema, {
    specifier: {
      case: 'remote',
      value: create(RemoteDataSourceSchema, {
        httpUri: create(HttpUriSchema, {
          uri: uriOf(reference),
          httpUpstreamType: { case: 'cluster', value: MODULE_CLUSTER },
          timeout: create(DurationSchema, { seconds: 1n }),
        }),
        sha256,
      }),
    },
  });
}

/** The reference in such code; undefined for other code. */
export function referenceIn(code: AsyncDataSource | undefined): WasmModuleReference | undefined {
  if (code?.specifier.case !== 'remote') return undefined;
  const { httpUri, sha256 } = code.specifier.value;
  if (httpUri?.httpUpstreamType.value !== MODULE_CLUSTER) return undefined;
  const hash = sha256 === ANY_SHA256 ? {} : { sha256 };
  const [, scheme, path = '', query = ''] = SCHEME.exec(httpUri.uri) ?? [];
  if (scheme === undefined) return { kind: 'http', uri: httpUri.uri, sha256 };
  if (scheme === 'configmap') {
    const [namespace = '', name = '', key = ''] = path.split('/').map(decodeURIComponent);
    return { kind: 'configMap', namespace, name, key, ...hash };
  }
  const secret = new URLSearchParams(query).get('pullSecret')?.split('/');
  const pullSecret = secret === undefined ? {} : { pullSecret: { namespace: secret[0] ?? '', name: secret[1] ?? '' } };
  return { kind: 'image', image: path, ...hash, ...pullSecret };
}

function uriOf(reference: WasmModuleReference): string {
  switch (reference.kind) {
    case 'http':
      return reference.uri;
    case 'image': {
      const { image, pullSecret } = reference;
      return `oci://${image}${pullSecret === undefined ? '' : `?pullSecret=${pullSecret.namespace}/${pullSecret.name}`}`;
    }
    case 'configMap':
      return `configmap://${[reference.namespace, reference.name, reference.key].map(encodeURIComponent).join('/')}`;
  }
}
