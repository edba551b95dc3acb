/** The service as grpc-js wants it described, and who may call what. Messages pass as bytes: decoding is ours, and so are its errors. */
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

/** Every method of the service; a test holds this against the .proto. */
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
 * Who may call a method: `anyone` over verified TLS of the server alone; `cluster` only with a client certificate that verifies and names a
 * cluster, or where the host takes tokens, with one that is a cluster's; `holder` as `cluster`, or without any client certificate, where the method itself demands the proof of an expired one's key.
 */
export type Access = 'anyone' | 'cluster' | 'holder';

/** The compiler refuses a method without an entry; at run time a name without one is nobody's. */
export const ACCESS: Readonly<Record<MethodName, Access>> = {
  Register: 'anyone',
  Renew: 'holder',
  Trust: 'cluster',
  Sign: 'cluster',
  Push: 'cluster',
  Pull: 'cluster',
  Invoke: 'cluster',
};

/** Metadata that repeats the cluster; it must equal what the certificate, or a registration's body, says. */
export const CLUSTER_HEADER = 'x-cluster-id';
/** Metadata with `Bearer TOKEN`, where a token is the identity. Never beside a client certificate. */
export const TOKEN_HEADER = 'authorization';
/** Trailer with our error code, beside gRPC's coarser one. */
export const CODE_TRAILER = 'relay-code';
