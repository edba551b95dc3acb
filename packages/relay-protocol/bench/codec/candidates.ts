/** The candidates behind one small surface. Their generated modules are loaded at run time, hence the loose types. */
import { type FixtureMessage, KIND } from './fixtures.ts';

export interface Candidate {
  readonly name: string;
  /** The message as the candidate's own objects. */
  native(message: FixtureMessage): unknown;
  encode(native: unknown): Uint8Array;
  decode(bytes: Uint8Array): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: generated modules that the repository does not have
type Loose = any;

/** The fields of the member of the oneof, as plain data. */
function fieldsOf(message: FixtureMessage): Record<string, unknown> {
  switch (message.field) {
    case 'delta':
      return { number: message.number, kind: KIND, upserts: message.upserts, deletes: [], complete: true };
    case 'have':
      return {
        kind: KIND,
        same: false,
        bucketDigests: new Uint8Array(),
        entries: message.entries,
        last: true,
        round: 1,
      };
    case 'ack':
      return { number: message.number, result: 1, refused: [], behind: [] };
  }
}

export function protobufEs(generated: Loose, runtime: Loose): Candidate {
  const schema = (field: string): Loose =>
    field === 'delta' ? generated.PushRequestSchema : generated.PushResponseSchema;
  const type = (field: string): Loose =>
    ({ delta: generated.DeltaSchema, have: generated.HaveSchema, ack: generated.AckSchema })[field];
  let current: Loose;
  return {
    name: 'protobuf-es',
    native(message) {
      current = schema(message.field);
      const fields = fieldsOf(message);
      if (typeof fields['number'] === 'number') fields['number'] = BigInt(fields['number']);
      const value = runtime.create(type(message.field), fields);
      return runtime.create(current, { message: { case: message.field, value } });
    },
    encode: (native) => runtime.toBinary(current, native),
    decode: (bytes) => runtime.fromBinary(current, bytes),
  };
}

export function tsProto(generated: Loose): Candidate {
  let current: Loose;
  return {
    name: 'ts-proto',
    native(message) {
      current = message.field === 'delta' ? generated.PushRequest : generated.PushResponse;
      const fields = fieldsOf(message);
      const upserts = fields['upserts'] as Array<object> | undefined;
      if (upserts) fields['upserts'] = upserts.map((one) => ({ ...one, total: 0, offset: 0 }));
      return { message: { $case: message.field, value: fields } };
    },
    encode: (native) => current.encode(native).finish(),
    decode: (bytes) => current.decode(bytes),
  };
}

export function protobufjs(generated: Loose): Candidate {
  const { v1 } = generated.meshrelay.relay;
  let current: Loose;
  return {
    name: 'protobufjs static',
    native(message) {
      current = message.field === 'delta' ? v1.PushRequest : v1.PushResponse;
      return { [message.field]: fieldsOf(message) };
    },
    encode: (native) => current.encode(native).finish(),
    decode: (bytes) => current.decode(bytes),
  };
}
