/** Streams of the leader: Push sends the state of the cluster, Pull receives the desired state. */
import { errorDetails, errorMessage } from '@meshrelay/host';
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
  type ObjectRejection,
  type ObjectTable,
  type OutputApplier,
  observed,
  PullReceiver,
  type PullRequest,
  type PullResponse,
  type PushRequest,
  type PushResponse,
  PushSender,
  type RelayClientState,
  ResumeHint,
  rejectedObjectAction,
  Sequence,
  type StreamMachine,
} from '@meshrelay/relay-protocol';
import type { Logger, Tracer } from '@meshrelay/telemetry';
import type { RefusedOutputs } from '../apply/refused-outputs.ts';
import { relayLogger } from './relay-logger.ts';
import type { ServerTransport } from './server-transport.ts';
import { tracedApplier } from './traced-applier.ts';
import { tracedPush } from './traced-push.ts';

export interface RelayWorkOptions {
  readonly cluster: string;
  readonly transport: ServerTransport;
  readonly term: number;
  readonly table: ObjectTable;
  /** All pushed kinds: the server considers the snapshot complete when it has all of them. */
  readonly pushed: readonly ResourceKind[];
  /** All kinds that may be applied. */
  readonly written: readonly ResourceKind[];
  readonly applier: OutputApplier;
  /** Inputs of the outputs that were applied last. */
  readonly vector: () => InputVector;
  /** Called when the applied outputs belong to these inputs. */
  readonly vectorMoved: (vector: InputVector) => void;
  /** Called when the server has observed a newer term of this cluster. */
  readonly outdated: (reason: Error) => void;
  /** Outputs that were not applied. */
  readonly refused: Pick<RefusedOutputs, 'listen'>;
  /** Handlers of the server's calls, which may report the state of the streams. */
  readonly handlers: (streams: RelayWork) => Handlers;
  readonly program: string;
  /** Plugins whose discovery failed, each with the reason. */
  readonly failedPlugins: readonly string[];
  readonly tracer: Tracer;
  readonly logger: Logger;
}

/** Runs from construction until it is disposed, which closes the streams. */
export class RelayWork implements AsyncDisposable {
  readonly #options: RelayWorkOptions;
  readonly #sequence: Sequence;
  /**
   * Content of the server's objects by hash. It belongs to this term alone, so the server sends everything to a new
   * leader.
   */
  readonly #contentIndex = new ContentIndex();
  readonly #hint = new ResumeHint();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  readonly #unlisten: () => void;
  #state: RelayClientState = { state: 'connecting' };
  #serverCapabilities: readonly string[] = [];
  #push: PushSender | undefined;
  #pull: PullReceiver | undefined;
  #invoke: InvokeResponder | undefined;

  constructor(options: RelayWorkOptions) {
    this.#options = options;
    this.#sequence = new Sequence(options.term);
    const { transport, refused, logger, outdated } = options;
    this.#unlisten = refused.listen((kind) => this.#resync(kind));
    this.#running = transport.runTransport({
      push: (hooks) => this.#newPush(hooks),
      pull: (hooks) => this.#newPull(hooks),
      invoke: () => this.#newInvoke(),
      signal: this.#stop.signal,
      onState: (state) => {
        this.#state = state;
        if (state.state === 'waiting' && state.error?.code === 'RELAY_E_FENCED') outdated(state.error);
        if (state.state === 'connected') logger.info('connected to the management server', { address: transport.to });
      },
      logger: relayLogger(logger),
    });
  }

  /** Capabilities that the server announced on the last connection. */
  get serverCapabilities(): readonly string[] {
    return this.#serverCapabilities;
  }

  get connected(): boolean {
    return this.#state.state === 'connected';
  }

  /** Why the agent is not connected; undefined while it is. */
  get problem(): string | undefined {
    if (this.connected) return undefined;
    const { to } = this.#options.transport;
    if (this.#state.state !== 'waiting') return `connecting to ${to}`;
    const { error } = this.#state;
    return `${to}: ${error === undefined ? 'the server ended the streams; the agent reopens them' : errorMessage(error)}`;
  }

  /** Number of entries that wait to be pushed. */
  get depth(): number {
    return this.#push?.depth ?? 0;
  }

  /** Milliseconds since the oldest change that the server has not acknowledged; 0 if it has acknowledged all. */
  get lag(): number {
    return (this.#push?.lags() ?? []).reduce((max, { age }) => Math.max(max, age), 0);
  }

  /** Number of server calls in progress. */
  get calls(): number {
    return this.#invoke?.calls ?? 0;
  }

  /**
   * Asks the server to compare the kind again: an object whose rejection it received matches its desired state by now.
   */
  #resync(kind: ResourceKind): void {
    this.#pull?.resync(`a rejected ${kind.kind} is applied now`, [kind]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    this.#unlisten();
  }

  #newPush({ onMove, onWelcome }: ConnectionHooks): StreamMachine<PushResponse, PushRequest> {
    const { cluster, term, table, pushed, program, failedPlugins, tracer, logger } = this.#options;
    this.#push = new PushSender({
      cluster,
      sequence: this.#sequence,
      table,
      kinds: pushed,
      hint: this.#hint,
      program,
      failedPlugins,
      capabilities: CAPABILITIES,
      onMove,
      onWelcome: (unmanaged) => {
        this.#serverCapabilities = unmanaged;
        const agreed = agreedCapabilities(CAPABILITIES, unmanaged);
        logger.info('the server accepted this agent', { unmanaged, agreed });
        onWelcome(unmanaged);
      },
      onRefused: (rejections) => logRejections(rejections, logger),
    });
    return tracedPush(this.#push, { cluster, term, tracer });
  }

  #newInvoke(): InvokeResponder {
    const { cluster, transport, term, handlers, logger } = this.#options;
    const own = handlers(this);
    this.#invoke = new InvokeResponder({
      cluster,
      term,
      handlers: { ...own, ...transport.handlers },
      capabilities: 'logs.tail' in own ? [...MACHINE_CAPABILITIES, 'logs'] : MACHINE_CAPABILITIES,
      onFailed: (method, error) =>
        logger.warn('a call of the server failed', {
          method,
          code: error.code,
          ...errorDetails(error),
          error: error.cause,
        }),
    });
    return this.#invoke;
  }

  #newPull({ onMove }: ConnectionHooks): StreamMachine<PullResponse, PullRequest> {
    const { cluster, term, written, applier, vector, vectorMoved, program, failedPlugins, tracer, logger } =
      this.#options;
    const pull = new PullReceiver({
      cluster,
      term,
      kinds: written,
      contentIndex: this.#contentIndex,
      applied: vector(),
      applier: tracedApplier(applier, { tracer, logger }),
      hint: this.#hint,
      program,
      failedPlugins,
      capabilities: CAPABILITIES,
      onMove,
      onOversized: (rejections) => logRejections(rejections, logger),
      onBehind: (result, behind) =>
        logger.warn('the server has older inputs than the applied outputs', { result, behind }),
    });
    this.#pull = pull;
    // Outputs may stay the same while their inputs move on. The observed inputs must outlive this process.
    return observed(pull, {
      received: () => {
        const { applied } = pull;
        if (applied !== vector() && compareVectors(applied, vector()).order === 'newer') vectorMoved(applied);
      },
    });
  }
}

/** Capabilities of the agent. */
const CAPABILITIES = [...MACHINE_CAPABILITIES, 'move', 'invoke'];

function logRejections(rejections: readonly ObjectRejection[], logger: Logger): void {
  for (const { key, code, reason } of rejections) {
    const { kind, namespace, name } = key;
    const next = rejectedObjectAction(code);
    logger.warn('the relay rejects an object', { kind, namespace, name, code, reason, next });
  }
}
