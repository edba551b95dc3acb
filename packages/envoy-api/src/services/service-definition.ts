/** A generated service as grpc-js wants it described. */
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

/** As much of a generated service as is looked at. */
export interface GeneratedService {
  readonly typeName: string;
  readonly methods: readonly DescMethod[];
  readonly method: Readonly<Record<string, Pick<DescMethod, 'input' | 'output'>>>;
}

/** The methods of a service, each with the messages it takes and gives. */
export type ServiceMethods<Service extends GeneratedService> = {
  readonly [Name in keyof Service['method']]: MethodDefinition<
    MessageShape<Service['method'][Name]['input']>,
    MessageShape<Service['method'][Name]['output']>
  >;
};

/**
 * Describes a service for `server.addService` and for clients.
 * Malformed bytes end a call with INTERNAL before any handler sees them, which is grpc-js's doing.
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
