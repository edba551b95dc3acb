/** The leader's streams: what the cluster has goes up, what it is to have comes down. */
import type { Clock, Secrets } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';
import {
  agreedCapabilities,
  type ConnectionHooks,
  ContentIndex,
  compareVectors,
  type Handlers,
  type InputVector,
  InvokeResponder,
  MACHINE_CAPABILITIES,
  type ObjectTable,
  type OutputApplier,
  PullReceiver,
  type PullRequest,
  type PullResponse,
  type PushRequest,
  type PushResponse,
  PushSender,
  type Refusal,
  type RelayClientState,
  type RelayConnection,
  type RelayDial,
  type RelayError,
  ResumeHint,
  runRelayClient,
  Sequence,
  type StreamMachine,
} from '@meshrelay/relay-protocol';
import type { Logger, Tracer } from '@meshrelay/telemetry';
import type { AgentConfig } from '../config/config.ts';
import type { RelayCredential, RelayIdentity } from '../identity/relay-identity.ts';
import { TrustKeeper } from '../identity/trust-keeper.ts';
import { afterEach } from './after-each.ts';
import { relayLogger } from './relay-logger.ts';
import { tracedApplier } from './traced-applier.ts';
import { tracedPush } from './traced-push.ts';

export interface RelayWorkOptions {
  readonly relay: AgentConfig['relay'];
  readonly term: number;
  readonly identity: RelayIdentity;
  readonly table: ObjectTable;
  /** Everything that is pushed: the server takes the snapshot for complete when all of it is. */
  readonly pushed: readonly ResourceKind[];
  /** Everything that may be applied. */
  readonly written: readonly ResourceKind[];
  readonly applier: OutputApplier;
  /** The inputs of what was applied last. */
  readonly vector: () => InputVector;
  /** What is applied is of these inputs. */
  readonly vectorMoved: (vector: InputVector) => void;
  /** The server has seen a newer term of this cluster. */
  readonly outdated: (reason: Error) => void;
  /** What the server may ask. */
  readonly handlers: Handlers;
  readonly program: string;
  /** Of the agent's namespace. */
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tracer: Tracer;
  readonly logger: Logger;
}

/** Runs from its making until disposed, which closes the streams. */
export class RelayWork implements AsyncDisposable {
  readonly #options: RelayWorkOptions;
  readonly #sequence: Sequence;
  /** What the server's objects are here by their hashes; of this reign alone, so that a new leader is told everything. */
  readonly #holdings = new ContentIndex();
  readonly #hint = new ResumeHint();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  readonly #trust: TrustKeeper;
  #connectionNow: Pick<RelayConnection, 'trust'> | undefined;
  #state: RelayClientState = { state: 'connecting' };
  /** What the last connection was made with. */
  #presented: RelayCredential | undefined;
  #serverCapabilities: readonly string[] = [];
  #push: PushSender | undefined;
  #pull: PullReceiver | undefined;

  constructor(options: RelayWorkOptions) {
    this.#options = options;
    this.#sequence = new Sequence(options.term);
    const { logger } = options;
    this.#trust = new TrustKeeper({
      ...options,
      ask: (request) => (this.connected ? this.#connectionNow?.trust(request) : undefined),
      renew: options.identity.renew,
    });
    this.#running = runRelayClient({
      onConnection: (connection) => {
        this.#connectionNow = connection;
      },
      connection: () => this.#connection(),
      push: (hooks) => this.#newPush(hooks),
      pull: (hooks) => this.#newPull(hooks),
      invoke: () => this.#newInvoke(),
      signal: this.#stop.signal,
      onState: (state) => {
        this.#state = state;
        if (state.state === 'waiting') this.#ended(state.error);
        if (state.state === 'connected') this.#trust.look();
        if (state.state === 'connected')
          logger.info('connected to the management server', { address: options.relay.serverAddress });
      },
      logger: relayLogger(logger),
    });
  }

  /** What the server named that it can do, when it was last there. */
  get serverCapabilities(): readonly string[] {
    return this.#serverCapabilities;
  }

  get connected(): boolean {
    return this.#state.state === 'connected';
  }

  /** Why there is no connection; undefined while there is one. */
  get problem(): string | undefined {
    if (this.connected) return undefined;
    const { serverAddress } = this.#options.relay;
    if (this.#state.state !== 'waiting') return `connecting to ${serverAddress}`;
    return `${serverAddress}: ${this.#state.error?.message ?? 'the server ended the streams'}`;
  }

  /** Entries that wait to be pushed. */
  get depth(): number {
    return this.#push?.depth ?? 0;
  }

  /** Asks the server to compare again: an object it was told is refused is as it should be by now. */
  resync(kind: ResourceKind): void {
    this.#pull?.resync(`a ${kind.kind} that was refused is applied now`, [kind]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#running, this.#trust[Symbol.asyncDispose]()]);
  }

  async #connection(): Promise<RelayDial> {
    const { relay, identity } = this.#options;
    const credential = await identity.obtain(this.#stop.signal);
    this.#presented = credential;
    return {
      address: relay.serverAddress,
      ...(relay.authority === undefined ? {} : { authority: relay.authority }),
      roots: credential.roots,
      ...('token' in credential ? { token: credential.token } : { clientCertificate: credential }),
      cluster: relay.cluster,
      replaced: identity.replaced,
    };
  }

  #ended(error: RelayError | undefined): void {
    const { outdated, identity } = this.#options;
    if (error?.code === 'RELAY_E_OLD_TERM') outdated(error);
    if (error?.code === 'RELAY_E_UNAUTHENTICATED' && this.#presented !== undefined) identity.refused(this.#presented);
  }

  #newPush({ onMove, onWelcome }: ConnectionHooks): StreamMachine<PushResponse, PushRequest> {
    const { relay, term, table, pushed, program, tracer, logger } = this.#options;
    this.#push = new PushSender({
      cluster: relay.cluster,
      sequence: this.#sequence,
      table,
      kinds: pushed,
      hint: this.#hint,
      program,
      capabilities: CAPABILITIES,
      onMove,
      onWelcome: (theirs) => {
        this.#serverCapabilities = theirs;
        const agreed = agreedCapabilities(CAPABILITIES, theirs);
        logger.info('the server has welcomed this agent', { theirs, agreed });
        onWelcome(theirs);
      },
      onRefused: (refusals) => logRefusals(refusals, logger),
    });
    return tracedPush(this.#push, { cluster: relay.cluster, term, tracer });
  }

  #newInvoke(): InvokeResponder {
    const { relay, term, handlers, logger } = this.#options;
    return new InvokeResponder({
      cluster: relay.cluster,
      term,
      handlers: { ...handlers, 'agent.trust': { read: () => ({}), run: () => this.#lookAtTrust() } },
      onFailed: (method, { code, message, cause }) =>
        logger.warn('a call of the server failed', { method, code, reason: message, error: cause }),
    });
  }

  #lookAtTrust(): Record<string, never> {
    this.#trust.look();
    return {};
  }

  #newPull({ onMove }: ConnectionHooks): StreamMachine<PullResponse, PullRequest> {
    const { relay, term, written, applier, vector, vectorMoved, program, tracer, logger } = this.#options;
    const pull = new PullReceiver({
      cluster: relay.cluster,
      term,
      kinds: written,
      holdings: this.#holdings,
      applied: vector(),
      applier: tracedApplier(applier, { applied: vector(), tracer, logger }),
      hint: this.#hint,
      program,
      capabilities: CAPABILITIES,
      onMove,
      onWithheld: (refusals) => logRefusals(refusals, logger),
      onBehind: (verdict, behind) =>
        logger.warn('the server has older inputs than what is applied here', { verdict, behind }),
    });
    this.#pull = pull;
    // Outputs may stay the same while their inputs move on; what was seen must not be forgotten with this process.
    return afterEach(pull, () => {
      const { applied } = pull;
      if (applied !== vector() && compareVectors(applied, vector()).order === 'newer') vectorMoved(applied);
    });
  }
}

/** What this end can do. */
const CAPABILITIES = [...MACHINE_CAPABILITIES, 'move', 'invoke'];

function logRefusals(refusals: readonly Refusal[], logger: Logger): void {
  for (const { key, code, reason } of refusals) {
    const { kind, namespace, name } = key;
    logger.warn('an object does not get through the relay', { kind, namespace, name, code, reason });
  }
}
