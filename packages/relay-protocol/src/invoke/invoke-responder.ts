/** The agent's end of Invoke: runs the methods that have a handler, and rejects all others. */
import { MACHINE_CAPABILITIES } from '../capabilities.ts';
import { RelayError } from '../errors.ts';
import type { Call, Hello, InvokeRequest, InvokeResponse, Reply } from '../message.ts';
import { DriverSlot, type MachineDriver, type StreamMachine } from '../stream/machine.ts';
import { bytesOf, failureOf, jsonOf } from './call-error.ts';
import { type After, DEFAULT_INVOKE_LIMITS, type InvokeLimits } from './limits.ts';
import { type AgentMethod, type AgentMethods, ENDLESS_METHODS } from './methods.ts';
import { afterReally } from './timer.ts';

/** Context of a handler in addition to its arguments. */
export interface CallContext {
  /** Aborts when no caller waits any more: cancelled, timed out, or the stream ended. */
  readonly signal: AbortSignal;
}

/** Implements one method. */
export interface Handler<M extends AgentMethod> {
  /** Parses the arguments. @throws RelayError RELAY_E_PROTOCOL when they do not fit the method */
  read(given: unknown): AgentMethods[M]['arguments'];
  /** Returns one reply, or yields many. */
  run(
    given: AgentMethods[M]['arguments'],
    context: CallContext,
  ): AgentMethods[M]['result'] | Promise<AgentMethods[M]['result']> | AsyncIterable<AgentMethods[M]['result']>;
}

/** The callable methods. All others are rejected. */
export type Handlers = { readonly [M in AgentMethod]?: Handler<M> };

export interface InvokeResponderOptions {
  readonly cluster: string;
  readonly term: number;
  readonly handlers: Handlers;
  /** Capabilities for the hello; `MACHINE_CAPABILITIES` when omitted. */
  readonly capabilities?: readonly string[];
  readonly limits?: Partial<InvokeLimits>;
  readonly after?: After;
  /** Called for each failed call. */
  readonly onFailed?: (method: string, error: RelayError) => void;
}

interface Running {
  readonly abort: AbortController;
  /** The reader stopped, which is not a failure. */
  cancelled: boolean;
  credits: number;
  bytes: number;
  /** Continues when there are credits again. */
  resume: (() => void) | undefined;
}

export class InvokeResponder implements StreamMachine<InvokeResponse, InvokeRequest> {
  readonly answered = 0;
  readonly #options: InvokeResponderOptions;
  readonly #limits: InvokeLimits;
  readonly #driver: DriverSlot = new DriverSlot();
  readonly #running = new Map<number, Running>();
  readonly #replies: Reply[] = [];
  #announced = false;

  constructor(options: InvokeResponderOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_INVOKE_LIMITS, ...options.limits };
  }

  /** Number of pending calls. */
  get calls(): number {
    return this.#running.size;
  }

  drive(driver: MachineDriver): void {
    this.#driver.set(driver);
  }

  receive(message: InvokeResponse): void {
    if (this.#driver.ended) return;
    switch (message.type) {
      case 'welcome':
        break;
      case 'call':
        void this.#call(message);
        break;
      case 'cancel':
        this.#cancel(message.id);
        break;
      case 'grant':
        this.#grant(message.id, message.credits);
        break;
      default:
        message satisfies never;
    }
  }

  next(): InvokeRequest | undefined {
    if (this.#driver.ended) return undefined;
    if (this.#announced) return this.#replies.shift();
    this.#announced = true;
    const { cluster, term, capabilities = MACHINE_CAPABILITIES } = this.#options;
    const hello: Hello = { type: 'hello', cluster, term, kinds: [], capabilities, program: '' };
    return hello;
  }

  end(): void {
    if (!this.#driver.end()) return;
    for (const { abort } of this.#running.values())
      abort.abort(new RelayError('RELAY_E_UNAVAILABLE', 'the stream is over'));
    this.#running.clear();
    this.#replies.length = 0;
  }

  #cancel(id: number): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.cancelled = true;
    running.abort.abort(new RelayError('RELAY_E_UNAVAILABLE', 'the call was cancelled'));
  }

  #grant(id: number, credits: number): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.credits = Math.min(this.#limits.credits, running.credits + credits);
    running.resume?.();
  }

  async #call(call: Call): Promise<void> {
    const { id, method, timeout } = call;
    const { after = afterReally, onFailed } = this.#options;
    if (this.#running.has(id)) {
      this.#driver.fail(new RelayError('RELAY_E_PROTOCOL', `call ${id} is already running`));
      return;
    }
    const credits = Math.min(call.credits, this.#limits.credits);
    const running: Running = { abort: new AbortController(), cancelled: false, credits, bytes: 0, resume: undefined };
    const full = this.#running.size >= this.#limits.calls;
    this.#running.set(id, running);
    const { timeout: max, endlessTimeout } = this.#limits;
    const late = Math.min(timeout, ENDLESS_METHODS.has(method) ? endlessTimeout : max);
    const stop = after(late, () =>
      running.abort.abort(new RelayError('RELAY_E_TIMEOUT', `${method} took longer than ${late} ms`)),
    );
    try {
      if (full)
        throw new RelayError('RELAY_E_RESOURCE_EXHAUSTED', `${this.#limits.calls} calls are running; try again later`);
      await this.#run(call, running);
      this.#reply({ type: 'reply', id, result: new Uint8Array(), last: true });
    } catch (thrown) {
      const { signal } = running.abort;
      const failure = failureOf(signal.aborted ? signal.reason : thrown);
      if (!this.#driver.ended && !running.cancelled) onFailed?.(method, asLocal(thrown));
      this.#reply({ type: 'reply', id, result: new Uint8Array(), last: true, failure });
    } finally {
      stop();
      this.#running.delete(id);
    }
  }

  async #run({ id, method, arguments: given }: Call, running: Running): Promise<void> {
    const { handlers } = this.#options;
    const own = Object.hasOwn(handlers, method) ? handlers[method as AgentMethod] : undefined;
    // The type of the method is unknown here: the handler runs with the arguments that its own `read` returned.
    const handler = own as Handler<AgentMethod> | undefined;
    if (handler === undefined) {
      throw new RelayError(
        'RELAY_E_UNIMPLEMENTED',
        `this agent does not implement ${JSON.stringify(method.slice(0, 64))}`,
      );
    }
    const { argumentBytes } = this.#limits;
    const { signal } = running.abort;
    const made = handler.run(handler.read(jsonOf(given, argumentBytes, 'the argument of the call')), { signal });
    const replies: AsyncIterable<unknown> = isIterable(made) ? made : once(made);
    const each = replies[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await unlessAborted(each.next(), signal);
        if (done === true) return;
        await unlessAborted(this.#credit(running), signal);
        this.#send(id, running, bytesOf(value), ENDLESS_METHODS.has(method));
      }
    } finally {
      each.return?.()?.catch(() => undefined);
    }
  }

  #credit(running: Running): Promise<void> {
    if (running.credits > 0) return Promise.resolve();
    return new Promise((resolve) => {
      running.resume = () => {
        if (running.credits > 0) resolve();
      };
    });
  }

  #send(id: number, running: Running, result: Uint8Array, endless: boolean): void {
    const { replyBytes, totalBytes } = this.#limits;
    running.credits--;
    running.bytes += result.byteLength;
    if (result.byteLength > replyBytes || (!endless && running.bytes > totalBytes)) {
      throw new RelayError(
        'RELAY_E_RESOURCE_EXHAUSTED',
        `the answer exceeds the limit of the relay (${replyBytes} bytes)`,
      );
    }
    this.#reply({ type: 'reply', id, result, last: false });
  }

  #reply(reply: Reply): void {
    if (this.#driver.ended) return;
    this.#replies.push(reply);
    this.#driver.ready();
  }
}

/**
 * Rejects at once when the signal aborts, whether the handler uses the signal or not. Leaves no listener on a
 * long-lived signal.
 */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function asLocal(thrown: unknown): RelayError {
  return thrown instanceof RelayError
    ? thrown
    : new RelayError('RELAY_E_INTERNAL', 'the handler failed', { cause: thrown });
}

function isIterable<T>(value: unknown): value is AsyncIterable<T> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* once<T>(value: T | Promise<T>): AsyncGenerator<T> {
  yield await value;
}
