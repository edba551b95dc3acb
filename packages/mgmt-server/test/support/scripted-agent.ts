/** An agent whose pushes and answers a test sets, over the real relay. */
import { Buffer } from 'node:buffer';
import { clusterPolicyKinds, type KubeObject } from '@meshrelay/api';
import { type CsrOptions, createCsr, generateKey, writePrivateKey } from '@meshrelay/pki';
import {
  ContentIndex,
  connectRelay,
  type Handlers,
  type InputVector,
  InvokeResponder,
  type ObjectKind,
  type ObjectRejection,
  ObjectTable,
  type OutputBatch,
  objectId,
  PullReceiver,
  PushSender,
  type RelayConnection,
  type RelayError,
  type RelayStream,
  Sequence,
} from '@meshrelay/relay-protocol';
import { testMesh } from '@meshrelay/test-mesh';
import { envelopeOf } from './envelope.ts';

const DISCOVERY = ['Mesh', 'Workload', 'Destination'].map((kind) => ({
  group: 'discovery.meshrelay.dev',
  version: 'v1alpha1',
  kind,
}));
const POLICIES = clusterPolicyKinds.map((kind) => ({
  group: 'networking.meshrelay.dev',
  version: 'v1alpha1',
  kind,
}));

/** Kinds that agents push by default. */
export const PUSHED_KINDS: readonly ObjectKind[] = [...DISCOVERY, ...POLICIES];

/** Kinds that agents may apply, by their plugins. */
export const APPLIED_KINDS: readonly ObjectKind[] = testMesh.writes.map(({ group, version, kind }) => ({
  group,
  version,
  kind,
}));

export interface AgentIdentity {
  readonly key: string;
  readonly certificate: string;
}

export interface Dial {
  readonly cluster: string;
  readonly port: number;
  /** PEM of the roots the agent trusts. */
  readonly roots: string;
  readonly identity?: AgentIdentity;
  readonly token?: string;
}

function connectionTo({ cluster, port, roots, identity, token }: Dial): RelayConnection {
  return connectRelay({
    address: `127.0.0.1:${port}`,
    authority: 'mgmt-server.meshrelay',
    roots,
    cluster,
    ...(identity === undefined ? {} : { clientCertificate: identity }),
    ...(token === undefined ? {} : { token }),
  });
}

/** Registers by a token. @throws RelayError when the server rejects it */
export async function register(dial: Dial, token: string, given?: Partial<CsrOptions>): Promise<AgentIdentity> {
  using connection = connectionTo(dial);
  const key = given?.key ?? (await generateKey('agent'));
  const response = await connection.register({
    token,
    csrPem: await createCsr({ ...given, key }),
    program: 'scripted',
  });
  return { key: writePrivateKey(key), certificate: response.certificatePem };
}

export class ScriptedAgent implements Disposable {
  /** Objects that it pushes; outlives streams. */
  readonly table: ObjectTable = new ObjectTable();
  /** Objects that it has applied, by `group/version/kind/namespace/name`. */
  readonly applied: Map<string, KubeObject> = new Map();
  /** Whether the server has declared the outputs complete. */
  complete = false;
  /** Objects that it rejects, by the same ids. */
  readonly refuses: Map<string, string> = new Map();
  /** Components in which the server was behind. */
  readonly behind: string[] = [];
  /** Handlers for logs and traffic; none by default. */
  handlers: Handlers | undefined;
  /** The vector applied last. */
  vector: InputVector = new Map();
  readonly #kinds: readonly ObjectKind[];
  readonly #appliedKinds: readonly ObjectKind[];
  readonly #sequence: Sequence;
  readonly #contentIndex = new ContentIndex();
  #connection: RelayConnection | undefined;
  #receiver: PullReceiver | undefined;
  #streams: readonly RelayStream[] = [];
  #frozen: Promise<void> | undefined;

  constructor(term = 1, kinds: readonly ObjectKind[] = PUSHED_KINDS, applied: readonly ObjectKind[] = APPLIED_KINDS) {
    this.#kinds = kinds;
    this.#appliedKinds = applied;
    this.#sequence = new Sequence(term);
  }

  /** Names of the applied objects of a kind, `namespace/name`, sorted. */
  names(kind: string): string[] {
    const all = [...this.applied.values()].filter((object) => object.kind === kind);
    return all.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`).sort();
  }

  /** Pushes these objects; the kinds are synced from now on. */
  push(...objects: readonly KubeObject[]): this {
    for (const object of objects) this.table.upsert(envelopeOf(object));
    for (const kind of this.#kinds) this.table.markSynced(kind);
    return this;
  }

  remove(object: KubeObject): void {
    this.table.delete(envelopeOf(object));
  }

  /** Opens both streams. */
  connect(dial: Dial): void {
    const { cluster } = dial;
    const connection = connectionTo(dial);
    this.#connection = connection;
    const push = new PushSender({ cluster, sequence: this.#sequence, table: this.table, kinds: this.#kinds });
    const pull = new PullReceiver({
      cluster,
      term: this.#sequence.term,
      kinds: this.#appliedKinds,
      contentIndex: this.#contentIndex,
      applied: this.vector,
      applier: {
        apply: async (batch) => {
          await this.#frozen;
          return this.#apply(batch);
        },
      },
      onBehind: (result, components) => this.behind.push(...components.map((name) => `${result} ${name}`)),
    });
    this.#receiver = pull;
    this.#streams = [connection.push(push), connection.pull(pull)];
    const { handlers } = this;
    const { term } = this.#sequence;
    if (handlers !== undefined)
      connection.invoke(new InvokeResponder({ cluster, term, handlers, capabilities: ['logs'] }));
  }

  /** Why the stream ended, once it has. */
  ended(stream: 'push' | 'pull'): Promise<RelayError | undefined> {
    const { closed } = this.#streams[stream === 'push' ? 0 : 1] ?? {};
    return closed ?? Promise.reject(new Error('it is not connected'));
  }

  /** Stops accepting outputs, silently. @returns the function that resumes */
  freeze(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#frozen = promise;
    return () => {
      this.#frozen = undefined;
      resolve();
    };
  }

  /** Requests rejected objects once more. */
  resync(): void {
    this.#receiver?.resync('try again');
  }

  disconnect(): void {
    this.#connection?.close();
    this.#connection = undefined;
    this.complete = false;
  }

  [Symbol.dispose](): void {
    this.disconnect();
  }

  #apply({ upserts, deletes, complete, desires, vector }: OutputBatch): ObjectRejection[] {
    const refused: ObjectRejection[] = [];
    for (const envelope of upserts) {
      const { group, version, kind, namespace, name, hash, body } = envelope;
      const id = objectId(envelope);
      const reason = this.refuses.get(id);
      if (reason !== undefined) {
        refused.push({ key: { group, version, kind, namespace, name }, hash, code: 'APPLY_FAILED', reason });
        continue;
      }
      this.applied.set(id, JSON.parse(Buffer.from(body).toString('utf8')) as KubeObject);
    }
    for (const key of deletes) this.applied.delete(objectId(key));
    if (complete) {
      for (const [id, object] of this.applied) if (!desires(envelopeOf(object))) this.applied.delete(id);
      this.complete = true;
    }
    this.vector = vector;
    return refused;
  }
}
