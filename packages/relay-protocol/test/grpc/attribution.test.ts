/**
 * T1: the content of any field of a message is attributed to the cluster of the credential, or rejected. Messages and
 * fields are read from the .proto, so new ones are tested automatically.
 */
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { Client, credentials, Metadata, type StatusObject, status } from '@grpc/grpc-js';
import { createCsr, generateKey } from '@meshrelay/pki';
import { assert, test } from '@meshrelay/testing';
import protobuf from 'protobufjs';
import { CLUSTER_HEADER, CODE_TRAILER, type MethodName, RELAY_SERVICE } from '../../src/grpc/service.ts';
import { InvokeCaller } from '../../src/invoke/invoke-caller.ts';
import { ContentIndex } from '../../src/object/content-index.ts';
import { DesiredOutputs } from '../../src/stream/desired-outputs.ts';
import { PullSender } from '../../src/stream/pull-sender.ts';
import { PushReceiver } from '../../src/stream/push-receiver.ts';
import { KINDS } from '../link.ts';
import { Authority } from './authority.ts';
import { TestServer, TOKEN } from './fixture.ts';

const OWN = 'c1';
const VICTIM = 'c2';
const authority = await Authority.create();
const certificate = await authority.agent(OWN);
const csrPem = await createCsr({ key: await generateKey('agent') });
const text = readFileSync(new URL('../../proto/meshrelay/relay/v1/relay.proto', import.meta.url), 'utf8');
const { root } = protobuf.parse(text, { keepCase: true });
const NAMESPACE = 'meshrelay.relay.v1';
const typeOf = (name: string): protobuf.Type => root.lookupType(`${NAMESPACE}.${name}`);

/** The request type of each method in the .proto. */
const METHODS = Object.values(root.lookupService(`${NAMESPACE}.Relay`).methods);
const KIND = { group: KINDS[0]?.group ?? '', version: KINDS[0]?.version ?? '', kind: KINDS[0]?.kind ?? '' };
const NAME = { namespace: 'shop', name: 'reviews' };
const DIGEST = Buffer.alloc(16, 1);
const WINDOW = { deltas: 4, bytes: 65_536 };

/** A valid value of each message, so that the tested field is reached. A message without an entry fails the test. */
const PROPER: Readonly<Record<string, object>> = {
  RegisterRequest: { cluster: OWN, token: TOKEN, csr_pem: csrPem },
  RenewRequest: { csr_pem: csrPem },
  TrustRequest: { bundle: 'x' },
  SignRequest: { ...NAME, csr_pem: csrPem },
  Hello: { term: 1, kinds: [KIND], window: WINDOW },
  Resume: { term: 1, window: WINDOW, kinds: DIGEST, content: DIGEST },
  KindList: { kinds: [KIND] },
  ContentRequest: { kind: KIND, digest: DIGEST, round: 1 },
  Have: { kind: KIND, same: true, last: true, round: 1 },
  Delta: { number: 1, kind: KIND, upserts: [{ ...NAME, hash: DIGEST, body: Buffer.from('{}'), total: 2 }] },
  Ack: { number: 1, result: 1 },
  Resync: { kinds: [KIND], reason: 'x' },
  Heartbeat: { answered: 0 },
  InvokeReply: { id: 1, result: Buffer.from('{}'), last: true },
};

interface Row {
  readonly method: MethodName;
  /** The oneof member of the request; undefined for a request without a oneof. */
  readonly message: string | undefined;
  /** The field path, dotted. */
  readonly field: string;
  readonly bytes: Buffer;
}

/** Paths to every field that can hold a name: strings, and bytes, since they may hold text. */
function* waysThrough(type: protobuf.Type, seen: readonly string[] = []): Generator<readonly protobuf.Field[]> {
  for (const field of type.fieldsArray) {
    field.resolve();
    const { resolvedType } = field;
    if (field.type === 'string' || field.type === 'bytes') yield [field];
    else if (resolvedType instanceof protobuf.Type && !seen.includes(resolvedType.name))
      for (const way of waysThrough(resolvedType, [...seen, type.name])) yield [field, ...way];
  }
}

/** The message with the victim's name in one field; lists get it as an additional element. */
function withName(message: object, [field, ...rest]: readonly protobuf.Field[]): object {
  if (field === undefined) return message;
  const before = (message as Record<string, unknown>)[field.name];
  const value = field.type === 'bytes' ? Buffer.from(VICTIM) : VICTIM;
  const inside = (one: unknown): unknown => (rest.length === 0 ? value : withName((one ?? {}) as object, rest));
  const list = (before ?? []) as readonly unknown[];
  return {
    ...message,
    [field.name]: field.repeated ? [...list, inside(list[0])] : inside(before),
  };
}

function rows(): Row[] {
  return METHODS.flatMap(({ name, requestType }): Row[] => {
    const request = typeOf(requestType);
    const method = name as MethodName;
    const [oneof] = request.oneofsArray;
    const proper = (of: string): object => {
      const given = PROPER[of];
      assert.ok(given, `${of} is a new message: say in this test how a proper one looks`);
      return given;
    };
    if (oneof === undefined)
      return [...waysThrough(request)].map((way) => ({
        method,
        message: undefined,
        field: way.map((field) => field.name).join('.'),
        bytes: encoded(request, withName(proper(request.name), way)),
      }));
    return oneof.fieldsArray.flatMap((member) => {
      const message = typeOf(member.type);
      return [...waysThrough(message)].map((way) => ({
        method,
        message: message.name,
        field: way.map((field) => field.name).join('.'),
        bytes: encoded(request, { [member.name]: withName(proper(message.name), way) }),
      }));
    });
  });
}

function encoded(type: protobuf.Type, value: object): Buffer {
  return Buffer.from(type.encode(type.fromObject(value)).finish());
}

/** A server that records the cluster of everything it receives. */
async function noting() {
  const seen: string[] = [];
  const note = (cluster: string): void => void seen.push(cluster);
  const server = await TestServer.start(authority, {
    register: async ({ cluster }) => {
      note(cluster);
      return { certificatePem: 'x', rootsPem: 'x' };
    },
    renew: async (_request, { caller, requireCluster }) => {
      note(caller?.cluster ?? 'none');
      requireCluster(OWN);
      return { certificatePem: 'x', rootsPem: '', challenge: new Uint8Array() };
    },
    trust: async (_request, { cluster }) => {
      note(cluster);
      return { rootsPem: '', renew: false, seconds: 1 };
    },
    sign: async (_request, { cluster }) => {
      note(cluster);
      return { chainPem: 'x', rootsPem: 'x' };
    },
    onPush: ({ cluster }) => {
      note(cluster);
      const accept = (batch: { readonly cluster: string }): undefined => note(batch.cluster) as undefined;
      return new PushReceiver({ cluster, contentIndex: new ContentIndex(), sink: { accept } });
    },
    onPull: ({ cluster }) => {
      note(cluster);
      return new PullSender({ cluster, outputs: new DesiredOutputs() });
    },
    onInvoke: ({ cluster }) => {
      note(cluster);
      return new InvokeCaller({ cluster, onEnd: () => undefined });
    },
  });
  return { server, seen };
}

const pass = (bytes: Buffer): Buffer => bytes;
const helloOf = (method: MethodName): Buffer =>
  encoded(typeOf(METHODS.find(({ name }) => name === method)?.requestType ?? ''), { hello: PROPER['Hello'] ?? {} });

/** Sends it, after a valid hello unless it is a hello. @returns how the call ended, or `taken` */
function say(client: Client, { method, message, bytes }: Row): Promise<StatusObject | 'taken'> {
  const metadata = new Metadata();
  metadata.set(CLUSTER_HEADER, OWN);
  const { path, requestStream } = RELAY_SERVICE[method];
  return new Promise((resolve) => {
    if (!requestStream) {
      client
        .makeUnaryRequest(path, pass, pass, bytes, metadata, (error) => error === null && resolve('taken'))
        .on('status', resolve);
      return;
    }
    const call = client.makeBidiStreamRequest(path, pass, pass, metadata);
    const opens = message === 'Hello' || message === 'Resume';
    call.on('error', () => undefined);
    // A half-close makes the server read everything and report how the call ended.
    call.on('status', (end) => resolve(end.code === status.OK ? 'taken' : end));
    call.once('data', () => {
      call.on('data', () => undefined);
      if (!opens) call.write(bytes);
      call.end();
    });
    call.write(opens ? bytes : helloOf(method));
  });
}

test('T1: a foreign cluster name in any field is attributed to the credential, or rejected and counted', async () => {
  const all = rows();
  const methods = new Set(all.map(({ method }) => method));
  assert.equal([...methods].sort(), Object.keys(RELAY_SERVICE).sort(), 'every method has a request with fields');
  assert.ok(all.length > 60, `${all.length} fields`);
  const { server, seen } = await noting();
  await using _server = server;
  const tls = credentials.createSsl(
    Buffer.from(authority.rootsPem),
    Buffer.from(certificate.key),
    Buffer.from(certificate.certificate),
  );
  const connect = (): Client =>
    new Client(server.address, tls, {
      'grpc.ssl_target_name_override': 'relay.test',
      'grpc.use_local_subchannel_pool': 1,
    });
  // One for each method, since the number of calls on a connection is limited.
  const clients = new Map([...methods].map((method) => [method, connect()]));
  const refused = new Map<string, string>();
  try {
    for (const row of all) {
      const where = `${row.method} ${row.message ?? ''} ${row.field}`;
      const before = server.refused.length;
      const answer = await say(clients.get(row.method) as Client, row);
      if (answer !== 'taken') refused.set(where, `${status[answer.code]} ${answer.details}`);
      const sent = answer === 'taken' ? [] : [`${row.method} ${String(answer.metadata.get(CODE_TRAILER)[0])}`];
      assert.equal(server.refused.slice(before), sent, where);
      assert.not(
        seen.some((cluster) => cluster !== OWN),
        `${where} was attributed to ${seen.find((cluster) => cluster !== OWN)}`,
      );
    }
  } finally {
    for (const client of clients.values()) client.close();
  }
  assert.ok(seen.length > 20, 'most are taken, for what they are');
  const streams = ['Push', 'Pull'].flatMap((method) => [`${method} Hello cluster`, `${method} Resume cluster`]);
  for (const claim of [...streams, 'Invoke Hello cluster', 'Register  cluster'])
    assert.match(refused.get(claim) ?? 'taken', 'PERMISSION_DENIED', claim);
});

test.run();
