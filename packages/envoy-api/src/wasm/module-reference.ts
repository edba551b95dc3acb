/**
 * Where a Wasm module is, as it stands in configuration until an agent puts the module itself in its place. Envoy's own message for code from elsewhere carries it, so that
 * objects hold plain configuration of Envoy and never bytes.
 */
import { create } from '@bufbuild/protobuf';
import { DurationSchema } from '@bufbuild/protobuf/wkt';
import {
  type AsyncDataSource,
  AsyncDataSourceSchema,
  RemoteDataSourceSchema,
} from '../gen/envoy/config/core/v3/base_pb.ts';
import { HttpUriSchema } from '../gen/envoy/config/core/v3/http_uri_pb.ts';

/** A module, and where to get it. */
export type WasmModuleReference =
  | { readonly kind: 'http'; readonly uri: string; readonly sha256: string }
  | {
      readonly kind: 'image';
      readonly image: string;
      /** Of the module; omitted: whatever the image has. */
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

/** The cluster such code names: there is none, since no Envoy is to fetch it. */
export const MODULE_CLUSTER = 'meshrelay.module';
/** Envoy wants a hash wherever code is from elsewhere. */
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

/** The reference in such code; undefined where it is other code. */
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
