/** A relay server over real TLS on a free port, with records of what it received, sent and logged. */
import { RelayError } from '../../src/errors.ts';
import type { Heartbeats } from '../../src/grpc/pump.ts';
import { connectRelay, type RelayConnection, type RelayConnectionOptions } from '../../src/grpc/relay-connection.ts';
import { type RelayServer, type RelayServerOptions, startRelayServer } from '../../src/grpc/relay-server.ts';
import type { RelaySession } from '../../src/grpc/relay-session.ts';
import type { RelayLimits } from '../../src/limits.ts';
import type { Logger } from '../../src/logger.ts';
import { ContentIndex } from '../../src/object/content-index.ts';
import { ObjectTable } from '../../src/object/object-table.ts';
import { DesiredOutputs } from '../../src/stream/desired-outputs.ts';
import { PullReceiver } from '../../src/stream/pull-receiver.ts';
import { PullSender } from '../../src/stream/pull-sender.ts';
import { type InputBatch, PushReceiver } from '../../src/stream/push-receiver.ts';
import { PushSender, Sequence } from '../../src/stream/push-sender.ts';
import { TestFixture } from '../fixture.ts';
import { KINDS } from '../link.ts';
import type { Authority, ClientCertificate } from './authority.ts';

export const TOKEN = 'token-7f3a-must-never-be-seen';

/** All log lines, as text. */
export class LogBook implements Logger {
  readonly lines: string[] = [];
  readonly debug = this.#write('debug');
  readonly info = this.#write('info');
  readonly warn = this.#write('warn');
  readonly error = this.#write('error');

  #write(level: string) {
    return (fields: Readonly<Record<string, unknown>>, message: string): void => {
      this.lines.push(JSON.stringify({ level, message, ...fields }));
    };
  }
}

export class TestServer {
  readonly fleets: Map<string, TestFixture> = new Map();
  readonly contentIndex: Map<string, ContentIndex> = new Map();
  readonly batches: InputBatch[] = [];
  readonly outputs: DesiredOutputs = new DesiredOutputs();
  readonly sessions: RelaySession[] = [];
  readonly log: LogBook = new LogBook();
  /** Rejections as counted: method and code. */
  readonly refused: string[] = [];
  relay!: RelayServer;

  static async start(authority: Authority, changes: Partial<RelayServerOptions> = {}): Promise<TestServer> {
    const server = new TestServer();
    const limits = changes.limits ?? {};
    server.relay = await startRelayServer({
      address: '127.0.0.1:0',
      tls: authority.server,
      identify: authority.identify,
      register: async ({ cluster, token, csrPem }) => {
        if (token !== TOKEN) throw new RelayError('RELAY_E_UNAUTHENTICATED', `no token for cluster ${cluster} matches`);
        return { certificatePem: await authority.sign(csrPem, cluster), rootsPem: authority.rootsPem };
      },
      onPush: (session) => server.receiver(session, limits),
      onPull: ({ cluster }) => new PullSender({ cluster, outputs: server.outputs, limits }),
      onRefused: ({ code }, method) => server.refused.push(`${method} ${code}`),
      logger: server.log,
      ...changes,
    });
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.relay.port}`;
  }

  fixture(cluster: string): TestFixture {
    const known = this.fleets.get(cluster) ?? new TestFixture();
    this.fleets.set(cluster, known);
    return known;
  }

  receiver(session: RelaySession, limits: Partial<RelayLimits>): PushReceiver {
    const { cluster } = session;
    this.sessions.push(session);
    const contentIndex = this.contentIndex.get(cluster) ?? new ContentIndex();
    this.contentIndex.set(cluster, contentIndex);
    const accept = (batch: InputBatch) => {
      this.batches.push(batch);
      return this.fixture(batch.cluster).take(batch);
    };
    return new PushReceiver({ cluster, contentIndex, limits, sink: { accept } });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.relay.close(200);
  }
}

/** An agent's content and the outputs it received. */
export class TestAgent {
  readonly cluster: string;
  readonly table: ObjectTable = new ObjectTable();
  readonly fixture: TestFixture = new TestFixture();
  readonly contentIndex: ContentIndex = new ContentIndex();
  sequence: Sequence;
  limits: Partial<RelayLimits> = {};
  complete = false;

  constructor(cluster: string, term = 1) {
    this.cluster = cluster;
    this.sequence = new Sequence(term);
    for (const kind of KINDS) this.table.markSynced(kind);
  }

  push(): PushSender {
    const { cluster, sequence, table, limits } = this;
    return new PushSender({ cluster, sequence, table, kinds: KINDS, limits });
  }

  pull(): PullReceiver {
    return new PullReceiver({
      cluster: this.cluster,
      term: this.sequence.term,
      kinds: KINDS,
      contentIndex: this.contentIndex,
      applied: new Map(),
      limits: this.limits,
      applier: {
        apply: (batch) => {
          this.complete = batch.complete;
          return this.fixture.take(batch);
        },
      },
    });
  }
}

export function connection(
  server: TestServer,
  authority: Authority,
  cluster: string,
  clientCertificate?: ClientCertificate,
  changes: Partial<RelayConnectionOptions> & { readonly heartbeats?: Heartbeats } = {},
): RelayConnection {
  return connectRelay({
    address: server.address,
    authority: 'relay.test',
    roots: authority.rootsPem,
    cluster,
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...changes,
  });
}
