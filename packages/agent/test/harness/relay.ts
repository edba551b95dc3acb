/**
 * A management server's relay for tests: real TLS and streams, scripted outputs, and a record of everything it
 * received.
 */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import {
  agentIdentity,
  type CertificateAuthority,
  createIntermediate,
  createRoot,
  createToken,
  generateKey,
  issueAgentCertificate,
  issueServerCertificate,
  readCertificates,
  readCsr,
  Token,
  TokenRegistry,
  trustBundle,
  trustDomain,
  verifyPeer,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import {
  ContentIndex,
  DesiredOutputs,
  type InputBatch,
  type InputVector,
  type InputVersion,
  type ObjectRejection,
  objectId,
  PullSender,
  PushReceiver,
  RelayError,
  type RelayErrorCode,
  type RelayServer,
  type RelaySession,
  startRelayServer,
} from '@meshrelay/relay-protocol';
import { envelope, keyOf } from '@meshrelay/test-cluster';

const DOMAIN = trustDomain('relay.meshrelay.local');
export const CLUSTER = 'cluster-1';

/** Certificates of one relay. Generating them takes a second: share one between the tests of a file. */
export class TestAuthority {
  readonly ca: CertificateAuthority;
  readonly rootsPem: string;
  readonly tls: { readonly key: string; readonly certificate: string; readonly clientRoots: string };

  private constructor(ca: CertificateAuthority, key: string, certificate: string) {
    this.ca = ca;
    this.rootsPem = writeCertificates([ca.certificate]);
    this.tls = { key, certificate, clientRoots: this.rootsPem };
  }

  static async create(): Promise<TestAuthority> {
    const now = new Date();
    const ca = await createRoot({ commonName: 'test relay', trustDomain: DOMAIN, days: 10, now });
    const key = await generateKey('relay-server');
    const issued = await issueServerCertificate({ ca, key, dnsNames: ['relay.test'], now });
    if (!issued.ok) throw new Error(issued.message);
    return new TestAuthority(ca, writePrivateKey(key), issued.chainPem);
  }

  async sign(csrPem: string, cluster: string): Promise<string> {
    const identity = agentIdentity(DOMAIN, cluster);
    const issued = await issueAgentCertificate({ ca: this.ca, csrPem, identity, now: new Date() });
    if (!issued.ok) throw new Error(issued.message);
    return issued.chainPem;
  }
}

export class TestRelay implements AsyncDisposable {
  readonly outputs: DesiredOutputs = new DesiredOutputs();
  readonly batches: InputBatch[] = [];
  /** Objects that the agent has sent, by id. */
  readonly inputs = new Map<string, KubeObject>();
  readonly synced = new Set<string>();
  readonly sessions: RelaySession[] = [];
  readonly refused: ObjectRejection[] = [];
  readonly resyncs: string[] = [];
  readonly registrations: string[] = [];
  applied: InputVector = new Map();
  /** Loses the response to the next registration, after the token was used. */
  loseNextAnswer = false;
  /** Whether a KubernetesCluster declares the cluster that registers. */
  declared = true;
  /** Revoked certificates. */
  readonly revoked = new Set<string>();
  /** Tokens that are an identity, and those that were presented as one. */
  readonly tokens = new Set<string>();
  readonly presented: string[] = [];
  book: TokenRegistry = new TokenRegistry();
  /** The newest inputs that the server has observed before. */
  last: InputVersion | undefined;
  readonly #authority: TestAuthority;
  readonly #contentIndex = new ContentIndex();
  /** Granted requests, by the serial number of the issued certificate. */
  readonly #issued = new Map<string, string>();
  /** Signs the intermediates of meshes. */
  get meshRoot(): CertificateAuthority {
    return this.#authority.ca;
  }
  #server!: RelayServer;
  #seq = 0;

  private constructor(authority: TestAuthority) {
    this.#authority = authority;
  }

  static async start(authority: TestAuthority, port = 0): Promise<TestRelay> {
    const relay = new TestRelay(authority);
    relay.#server = await startRelayServer({
      address: `127.0.0.1:${port}`,
      tls: authority.tls,
      identify: (certificatePem) => {
        const peer = verifyPeer({
          purpose: 'agent',
          trustDomain: DOMAIN,
          chain: certificatePem,
          roots: trustBundle([authority.ca.certificate]),
          now: new Date(),
        });
        if (peer.ok && relay.revoked.has(peer.serial)) return { refused: 'it was revoked' };
        return peer.ok ? { cluster: peer.cluster ?? '' } : { refused: peer.message };
      },
      identifyToken: (token) => {
        relay.presented.push(token);
        return relay.tokens.has(token) ? { id: 'known' } : { refused: 'the token is not known' };
      },
      register: ({ cluster, token, csrPem }) => relay.#register(cluster, token, csrPem),
      sign: async ({ csrPem }) => {
        const now = new Date();
        const options = {
          ca: relay.meshRoot,
          csrPem,
          commonName: 'ca',
          trustDomain: trustDomain('cluster.local'),
          constrained: false,
        };
        const made = await createIntermediate({ ...options, days: 100, now });
        if (!made.ok) throw new RelayError('RELAY_E_IDENTITY_MISMATCH', made.message);
        return { chainPem: made.chainPem, rootsPem: writeCertificates([relay.meshRoot.certificate]) };
      },
      onPush: (session) => relay.#onPush(session),
      onPull: (session) => relay.#onPull(session),
    });
    return relay;
  }

  get address(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  get port(): number {
    return this.#server.port;
  }

  /** The open streams. */
  get open(): readonly RelaySession[] {
    return this.#server.sessions();
  }

  /** A token that this cluster can use once. */
  token(cluster: string = CLUSTER): Token {
    const token = createToken();
    this.book = this.book.declare(token, cluster, new Date(Date.now() + 3_600_000));
    return token;
  }

  /** Adds objects to the desired state, or removes them. */
  commit(change: {
    readonly upserts?: readonly KubeObject[];
    readonly deletes?: readonly KubeObject[];
    readonly complete?: boolean;
    readonly vector?: InputVector;
  }): void {
    this.#seq++;
    const { upserts = [], deletes = [], complete = true, vector = this.vector() } = change;
    this.outputs.commit({ vector, complete, upserts: upserts.map(envelope), deletes: deletes.map(keyOf) });
  }

  /** The inputs of the last commit. */
  vector(): InputVector {
    return new Map([[CLUSTER, { term: 1, seq: this.#seq }]]);
  }

  /** Streams end at once; a connection that does not close is left until the process ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    const timer = Promise.withResolvers<void>();
    const late = setTimeout(timer.resolve, 1_000);
    await Promise.race([this.#server.close(200), timer.promise]);
    clearTimeout(late);
  }

  async #register(cluster: string, text: string, csrPem: string) {
    const token = Token.read(text);
    const csr = readCsr(csrPem);
    if (token === undefined || !csr.ok) throw new RelayError('RELAY_E_UNAUTHENTICATED', 'no token, or no request');
    if (!this.declared) throw this.#refuse('undeclared', 'RELAY_E_CLUSTER_NOT_DECLARED');
    const live = [...this.#issued].some(([serial, hash]) => hash !== csr.hash && !this.revoked.has(serial));
    if (live) throw this.#refuse('registered', 'RELAY_E_ALREADY_REGISTERED');
    const use = this.book.use({ token, cluster, requestHash: csr.hash, now: new Date() });
    this.registrations.push(use.result);
    if (use.result !== 'ok') throw new RelayError('RELAY_E_UNAUTHENTICATED', `the token is ${use.result}`);
    this.book = use.book;
    if (this.loseNextAnswer) {
      this.loseNextAnswer = false;
      throw new RelayError('RELAY_E_UNAVAILABLE', 'the answer was lost');
    }
    const certificatePem = await this.#authority.sign(csrPem, cluster);
    this.#issued.set(readCertificates(certificatePem, 'test', { max: 3 })[0]?.serial ?? '', csr.hash);
    return { certificatePem, rootsPem: this.#authority.rootsPem };
  }

  #refuse(result: string, code: RelayErrorCode): RelayError {
    this.registrations.push(result);
    return new RelayError(code, `the cluster is ${result}`);
  }

  #onPush(session: RelaySession): PushReceiver {
    this.sessions.push(session);
    return new PushReceiver({
      cluster: session.cluster,
      contentIndex: this.#contentIndex,
      ...(this.last === undefined ? {} : { last: this.last }),
      sink: {
        accept: (batch) => {
          this.batches.push(batch);
          for (const one of batch.upserts)
            this.inputs.set(objectId(one), JSON.parse(Buffer.from(one.body).toString('utf8')) as KubeObject);
          for (const key of batch.deletes) this.inputs.delete(objectId(key));
          if (batch.synced) this.synced.add(batch.kind.kind);
          return undefined;
        },
      },
    });
  }

  #onPull(session: RelaySession): PullSender {
    this.sessions.push(session);
    return new PullSender({
      cluster: session.cluster,
      outputs: this.outputs,
      onApplied: (vector) => {
        this.applied = vector;
      },
      onRefused: (rejections) => this.refused.push(...rejections),
      onResync: (reason) => this.resyncs.push(reason),
    });
  }
}
