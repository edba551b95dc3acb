/** Converts a generated service to a grpc-js service definition. */
import { Buffer } from 'node:buffer';
import {
  type DescMessage,
  type DescMethod,
  fromBinary,
  type Message,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import type { MethodDefinition } from '@grpc/grpc-js';

/** The used part of a generated service. */
export interface GeneratedService {
  readonly typeName: string;
  readonly methods: readonly DescMethod[];
  readonly method: Readonly<Record<string, Pick<DescMethod, 'input' | 'output'>>>;
}

/** The methods of a service, each with its request and response messages. */
export type ServiceMethods<Service extends GeneratedService> = {
  readonly [Name in keyof Service['method']]: MethodDefinition<
    MessageShape<Service['method'][Name]['input']>,
    MessageShape<Service['method'][Name]['output']>
  >;
};

/**
 * Service definition for `server.addService` and for clients. grpc-js ends calls with malformed bytes with INTERNAL,
 * before any handler runs.
 */
export function serviceDefinition<Service extends GeneratedService>(service: Service): ServiceMethods<Service> {
  const methods = service.methods.map(({ name, localName, methodKind, input, output }) => [
    localName,
    {
      path: `/${service.typeName}/${name}`,
      requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
      responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
      ...codec('request', input),
      ...codec('response', output),
    },
  ]);
  return Object.fromEntries(methods) as ServiceMethods<Service>;
}

function codec(side: 'request' | 'response', schema: DescMessage): Record<string, unknown> {
  return {
    [`${side}Serialize`]: (message: Message): Buffer => {
      const bytes = toBinary(schema, message);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    [`${side}Deserialize`]: (bytes: Buffer): Message => fromBinary(schema, bytes),
  };
}
