/** The server's end of Invoke: calls the agent, with a timeout per call. */
import { CAPABILITIES } from '../capabilities.ts';
import { RelayError } from '../errors.ts';
import type { Hello, InvokeRequest, InvokeResponse, Reply } from '../message.ts';
import { DriverSlot, type MachineDriver, type StreamMachine } from '../stream/machine.ts';
import { bytesOf, errorOfFailure, jsonOf } from './call-error.ts';
import { type After, DEFAULT_INVOKE_LIMITS, type InvokeLimits } from './limits.ts';
import { type AgentMethod, type AgentMethods, ENDLESS_METHODS } from './methods.ts';
import { afterReally } from './timer.ts';

export interface InvokeCallerOptions {
  /** Cluster of the verified certificate. */
  readonly cluster: string;
  readonly limits?: Partial<InvokeLimits>;
  readonly after?: After;
  readonly onEnd?: (reason: RelayError | undefined) => void;
}

export interface CallOptions {
  /** Timeout for all replies, in milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
  /** Limit of unread replies, if fewer than the default may wait. */
  readonly credits?: number;
}

/** A pending call: unread replies, and the reader that waits for them. */
interface Waiting {
  readonly replies: unknown[];
  readonly endless: boolean;
  readonly credits: number;
  bytes: number;
  over: boolean;
  error: RelayError | undefined;
  wake: () => void;
}

export class InvokeCaller implements StreamMachine<InvokeRequest, InvokeResponse> {
  readonly answered = 0;
  readonly #options: InvokeCallerOptions;
  readonly #limits: InvokeLimits;
  readonly #driver: DriverSlot = new DriverSlot();
  readonly #calls = new Map<number, Waiting>();
  readonly #out: InvokeResponse[] = [];
  #greeted = false;
  #capabilities: readonly string[] = [];
  #last = 0;

  constructor(options: InvokeCallerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_INVOKE_LIMITS, ...options.limits };
  }

  /** Number of pending calls. */
  get calls(): number {
    return this.#calls.size;
  }

  /** Capabilities in the agent's hello. */
  get capabilities(): readonly string[] {
    return this.#capabilities;
  }

  drive(driver: MachineDriver): void {
    this.#driver.set(driver);
  }

  receive(message: InvokeRequest): void {
    if (this.#driver.ended) return;
    if (message.type === 'hello') this.#hello(message);
    else if (this.#greeted) this.#replied(message);
    else throw new RelayError('RELAY_E_PROTOCOL', 'the agent began the invoke stream with reply instead of hello');
  }

  next(): InvokeResponse | undefined {
    return this.#driver.ended ? undefined : this.#out.shift();
  }

  end(reason?: RelayError): void {
    if (!this.#driver.end()) return;
    const error = new RelayError('RELAY_E_UNAVAILABLE', 'the agent is no longer connected', { cause: reason });
    for (const waiting of this.#calls.values()) finish(waiting, error);
    this.#out.length = 0;
    this.#options.onEnd?.(reason);
  }

  /** Calls a method with one reply. @throws RelayError of the agent, the timeout or the connection */
  async ask<M extends AgentMethod>(
    method: M,
    given: AgentMethods[M]['arguments'],
    options: CallOptions,
  ): Promise<AgentMethods[M]['result']> {
    for await (const reply of this.call(method, given, options)) return reply;
    throw new RelayError('RELAY_E_PROTOCOL', `the agent sent an empty answer to ${method}`);
  }

  /** Calls a method and yields replies as they arrive; a reader that stops cancels the call. @throws RelayError */
  async *call<M extends AgentMethod>(
    method: M,
    given: AgentMethods[M]['arguments'],
    { timeout, signal, credits = this.#limits.credits }: CallOptions,
  ): AsyncGenerator<AgentMethods[M]['result']> {
    signal?.throwIfAborted();
    if (this.#driver.ended || !this.#greeted) throw new RelayError('RELAY_E_UNAVAILABLE', 'the agent is not connected');
    if (this.#calls.size >= this.#limits.calls) {
      throw new RelayError(
        'RELAY_E_RESOURCE_EXHAUSTED',
        `${this.#limits.calls} calls to the agent are running; try again later`,
      );
    }
    const id = ++this.#last;
    const waiting: Waiting = {
      replies: [],
      endless: ENDLESS_METHODS.has(method),
      credits: Math.min(credits, this.#limits.credits),
      bytes: 0,
      over: false,
      error: undefined,
      wake: () => undefined,
    };
    this.#calls.set(id, waiting);
    this.#say({ type: 'call', id, method, arguments: bytesOf(given), timeout, credits: waiting.credits });
    const stop = (this.#options.after ?? afterReally)(timeout, () =>
      finish(waiting, new RelayError('RELAY_E_TIMEOUT', `the agent did not answer ${method} within ${timeout} ms`)),
    );
    const cancel = (): void => finish(waiting, new RelayError('RELAY_E_UNAVAILABLE', 'the call was cancelled'));
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      for (;;) {
        const reply = await nextReply(waiting);
        if (reply === undefined) return;
        yield reply.value as AgentMethods[M]['result'];
        if (!waiting.over) this.#say({ type: 'grant', id, credits: 1 });
      }
    } finally {
      stop();
      signal?.removeEventListener('abort', cancel);
      // Only the agent's last reply ends a call for it.
      if (this.#calls.delete(id)) this.#say({ type: 'cancel', id });
    }
  }

  #hello({ cluster, capabilities }: Hello): void {
    const { cluster: own } = this.#options;
    if (this.#greeted) throw new RelayError('RELAY_E_PROTOCOL', 'a second hello on one stream');
    if (cluster !== '' && cluster !== own) {
      throw new RelayError('RELAY_E_IDENTITY_MISMATCH', `hello names another cluster than the certificate, ${own}`);
    }
    this.#greeted = true;
    this.#capabilities = capabilities;
    this.#say({ type: 'welcome', capabilities: CAPABILITIES });
  }

  /** A reply to a call without a reader is dropped. */
  #replied({ id, result, last, failure }: Reply): void {
    if (id > this.#last) throw new RelayError('RELAY_E_PROTOCOL', `a reply to the unknown call ${id}`);
    const waiting = this.#calls.get(id);
    if (waiting === undefined) return;
    if (last) this.#calls.delete(id);
    if (failure !== undefined) {
      finish(waiting, errorOfFailure(failure));
      return;
    }
    if (result.byteLength > 0) this.#take(waiting, result);
    if (last) finish(waiting, undefined);
  }

  #take(waiting: Waiting, result: Uint8Array): void {
    const { replyBytes, totalBytes } = this.#limits;
    waiting.bytes += result.byteLength;
    try {
      if (waiting.replies.length >= waiting.credits || (!waiting.endless && waiting.bytes > totalBytes)) {
        throw new RelayError('RELAY_E_RESOURCE_EXHAUSTED', 'the agent sends more replies than granted');
      }
      waiting.replies.push(jsonOf(result, replyBytes, 'the answer of the agent'));
      waiting.wake();
    } catch (thrown) {
      finish(waiting, thrown as RelayError);
    }
  }

  #say(message: InvokeResponse): void {
    if (this.#driver.ended) return;
    this.#out.push(message);
    this.#driver.ready();
  }
}

function finish(waiting: Waiting, error: RelayError | undefined): void {
  if (waiting.over) return;
  waiting.over = true;
  waiting.error = error;
  waiting.wake();
}

/** Received replies are read before the error that ended the call. */
async function nextReply(waiting: Waiting): Promise<{ readonly value: unknown } | undefined> {
  while (waiting.replies.length === 0) {
    if (waiting.error !== undefined) throw waiting.error;
    if (waiting.over) return undefined;
    await new Promise<void>((resolve) => {
      waiting.wake = resolve;
    });
  }
  return { value: waiting.replies.shift() };
}
