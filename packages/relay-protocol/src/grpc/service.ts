/**
 * The service definition for grpc-js, and the access rule of each method. Messages pass as bytes: this package decodes
 * them and reports decoding errors.
 */
import type { Buffer } from 'node:buffer';
import type { MethodDefinition } from '@grpc/grpc-js';

const pass = (bytes: Buffer): Buffer => bytes;

export type MethodName = 'Register' | 'Renew' | 'Trust' | 'Sign' | 'Push' | 'Pull' | 'Invoke';

type RawMethod = MethodDefinition<Buffer, Buffer>;

function method(name: string, stream: boolean): RawMethod {
  return {
    path: `/meshrelay.relay.v1.Relay/${name}`,
    requestStream: stream,
    responseStream: stream,
    requestSerialize: pass,
    requestDeserialize: pass,
    responseSerialize: pass,
    responseDeserialize: pass,
  };
}

/** Every method of the service; a test compares it with the .proto. */
export const RELAY_SERVICE: Readonly<Record<MethodName, RawMethod>> = {
  Register: method('Register', false),
  Renew: method('Renew', false),
  Trust: method('Trust', false),
  Sign: method('Sign', false),
  Push: method('Push', true),
  Pull: method('Pull', true),
  Invoke: method('Invoke', true),
};

/**
 * Who may call a method. `anyone`: no credential, with TLS of the server only. `cluster`: a client certificate that
 * verifies and names a cluster, or a token of a cluster where the host accepts tokens. `holder`: as `cluster`, or
 * without a client certificate, where the method itself requires proof of the key of an expired one.
 */
export type Access = 'anyone' | 'cluster' | 'holder';

/** The compiler rejects a method without an entry; at run time, a name without an entry is denied. */
export const ACCESS: Readonly<Record<MethodName, Access>> = {
  Register: 'anyone',
  Renew: 'holder',
  Trust: 'cluster',
  Sign: 'cluster',
  Push: 'cluster',
  Pull: 'cluster',
  Invoke: 'cluster',
};

/** Metadata that repeats the cluster; it must equal the cluster of the certificate or of the registration's body. */
export const CLUSTER_HEADER = 'x-cluster-id';
/** Metadata with `Bearer TOKEN`, where a token is the identity. Never together with a client certificate. */
export const TOKEN_HEADER = 'authorization';
/** Trailer with the relay error code, in addition to gRPC's less specific status. */
export const CODE_TRAILER = 'relay-code';
