/** Encodes and decodes messages. Only this file knows the protobuf library. */
import { Buffer } from 'node:buffer';
import { RelayError } from '../errors.ts';
import { meshrelay } from '../gen/relay.ts';
import type {
  InvokeRequest,
  InvokeResponse,
  PullRequest,
  PullResponse,
  PushRequest,
  PushResponse,
  RelayMessage,
} from '../message.ts';
import { encodeDelta, isLarge } from './delta-bytes.ts';
import { fromWire } from './from-wire.ts';
import { toWire } from './to-wire.ts';
import type {
  GeneratedType,
  RegisterRequest,
  RegisterResponse,
  RenewRequest,
  RenewResponse,
  SignRequest,
  SignResponse,
  TrustRequest,
  TrustResponse,
  WireMessage,
} from './wire.ts';

/** Codec of one message type. */
export interface Codec<T> {
  encode(message: T): Buffer;
  /** @throws RelayError RELAY_E_PROTOCOL when the bytes are not a valid message of this type */
  decode(bytes: Uint8Array): T;
}

const { v1 } = meshrelay.relay;

export const pushRequestCodec: Codec<PushRequest> = streamCodec(v1.PushRequest, 'PushRequest.delta');
export const pushResponseCodec: Codec<PushResponse> = streamCodec(v1.PushResponse);
export const pullRequestCodec: Codec<PullRequest> = streamCodec(v1.PullRequest);
export const pullResponseCodec: Codec<PullResponse> = streamCodec(v1.PullResponse, 'PullResponse.delta');

export const invokeRequestCodec: Codec<InvokeRequest> = streamCodec(v1.InvokeRequest);
export const invokeResponseCodec: Codec<InvokeResponse> = streamCodec(v1.InvokeResponse);

export const registerRequestCodec: Codec<RegisterRequest> = plainCodec(v1.RegisterRequest, {
  cluster: '',
  token: '',
  csrPem: '',
  program: '',
});
export const registerResponseCodec: Codec<RegisterResponse> = plainCodec(v1.RegisterResponse, {
  certificatePem: '',
  rootsPem: '',
});
export const renewRequestCodec: Codec<RenewRequest> = plainCodec(v1.RenewRequest, {
  csrPem: '',
  expiredCertificatePem: '',
  challenge: new Uint8Array(),
  proof: new Uint8Array(),
});
export const renewResponseCodec: Codec<RenewResponse> = plainCodec(v1.RenewResponse, {
  certificatePem: '',
  rootsPem: '',
  challenge: new Uint8Array(),
});

export const trustRequestCodec: Codec<TrustRequest> = plainCodec(v1.TrustRequest, { bundle: '' });
export const trustResponseCodec: Codec<TrustResponse> = plainCodec(v1.TrustResponse, {
  rootsPem: '',
  renew: false,
  seconds: 0,
});

export const signRequestCodec: Codec<SignRequest> = plainCodec(v1.SignRequest, { namespace: '', name: '', csrPem: '' });
export const signResponseCodec: Codec<SignResponse> = plainCodec(v1.SignResponse, { chainPem: '', rootsPem: '' });

/** The generated decoder returns only members that its message type has, so the result belongs to that direction. */
function streamCodec<T extends RelayMessage>(
  type: GeneratedType<WireMessage>,
  delta?: Parameters<typeof encodeDelta>[1],
): Codec<T> {
  return {
    encode: (message) =>
      delta !== undefined && message.type === 'delta' && isLarge(message)
        ? encodeDelta(message, delta)
        : asBuffer(type.encode(toWire(message)).finish()),
    decode: (bytes) => fromWire(decoded(type, bytes)) as T,
  };
}

/** A message whose fields already have our names; absent fields get their default. */
function plainCodec<T extends object>(type: GeneratedType<Partial<T>>, defaults: T): Codec<T> {
  return {
    encode: (message) => asBuffer(type.encode(message).finish()),
    decode: (bytes) => {
      const wire = decoded(type, bytes);
      const fields = Object.keys(defaults) as Array<keyof T>;
      return Object.fromEntries(fields.map((field) => [field, wire[field] ?? defaults[field]])) as T;
    },
  };
}

function decoded<T>(type: GeneratedType<T>, bytes: Uint8Array): T {
  try {
    return type.decode(bytes);
  } catch (thrown) {
    throw new RelayError('RELAY_E_PROTOCOL', 'the bytes are not a relay message; upgrade the older side', {
      cause: thrown,
    });
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
