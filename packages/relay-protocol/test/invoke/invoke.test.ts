/** Calls of the server to an agent: replies, rejections, timeouts, cancellation, credits and sizes. */
import { assert, test } from '@meshrelay/testing';
import { type Codec, invokeRequestCodec, invokeResponseCodec } from '../../src/codec/codec.ts';
import type { RelayError } from '../../src/errors.ts';
import { InvokeCaller } from '../../src/invoke/invoke-caller.ts';
import { type Handlers, InvokeResponder } from '../../src/invoke/invoke-responder.ts';
import type { InvokeLimits } from '../../src/invoke/limits.ts';
import type { LogBatch } from '../../src/invoke/log-methods.ts';
import type { AgentState } from '../../src/invoke/methods.ts';
import type { InvokeRequest, InvokeResponse } from '../../src/message.ts';

const STATE = { cluster: 'c1', program: 'test', term: 3 } as unknown as AgentState;
const state = (run: (signal: AbortSignal) => unknown): Handlers => ({
  'agent.state': { read: () => ({}), run: (_given, { signal }) => run(signal) as AgentState },
});

/** A manual clock. */
class Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>();

  after = (milliseconds: number, work: () => void): (() => void) => {
    const timer = { at: this.#now + milliseconds, work };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.work();
    }
  }

  get waiting(): number {
    return this.#timers.size;
  }
}

class Ends {
  readonly clock = new Clock();
  readonly caller: InvokeCaller;
  readonly agent: InvokeResponder;
  readonly failed: string[] = [];
  readonly up: InvokeRequest[] = [];
  failure: RelayError | undefined;

  constructor(handlers: Handlers, limits: Partial<InvokeLimits> = {}, callerLimits: Partial<InvokeLimits> = limits) {
    const { after } = this.clock;
    this.caller = new InvokeCaller({ cluster: 'c1', limits: callerLimits, after });
    const onFailed = (method: string, { code }: RelayError): void => void this.failed.push(`${method} ${code}`);
    this.agent = new InvokeResponder({ cluster: 'c1', term: 3, handlers, limits, after, onFailed });
    const fail = (error: RelayError): void => {
      this.failure = error;
    };
    this.caller.drive({ ready: () => undefined, fail });
    this.agent.drive({ ready: () => undefined, fail });
  }

  /** Passes messages until nothing moves. */
  async run(): Promise<this> {
    for (let quiet = 0; quiet < 10; ) {
      const up = this.agent.next();
      if (up !== undefined) {
        this.up.push(up);
        this.caller.receive(over(invokeRequestCodec, up));
      }
      const down = this.caller.next();
      if (down !== undefined) this.agent.receive(over(invokeResponseCodec, down as InvokeResponse));
      quiet = up === undefined && down === undefined ? quiet + 1 : 0;
      await Promise.resolve();
    }
    return this;
  }

  ask(timeout = 1000, signal?: AbortSignal): Promise<unknown> {
    const requested = this.caller.ask('agent.state', {}, { timeout, ...(signal === undefined ? {} : { signal }) });
    requested.catch(() => undefined);
    return requested;
  }
}

function over<T>(codec: Codec<T>, message: T): T {
  return codec.decode(codec.encode(message));
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: RelayError) => error.code ?? String(error),
  );

test('an agent answers methods that have a handler', async () => {
  const ends = await new Ends(state(() => STATE)).run();
  const requested = ends.ask();
  await ends.run();
  assert.equal(await requested, STATE);
  assert.is(ends.caller.calls, 0);
  assert.is(ends.clock.waiting, 0, 'no timer is left');
});

test('methods without a handler are rejected, including names of prototype members', async () => {
  const ends = await new Ends({}).run();
  for (const method of ['agent.state', 'constructor', '__proto__', 'toString', '']) {
    const requested = ends.caller.ask(method as 'agent.state', {}, { timeout: 1000 });
    requested.catch(() => undefined);
    await ends.run();
    assert.is(await codeOf(requested), 'RELAY_E_UNIMPLEMENTED');
  }
});

test('an error of a handler is reported to the server as a failure without its details', async () => {
  const secret = (): never => {
    throw new Error('the password is 1234');
  };
  const ends = await new Ends(state(secret)).run();
  const requested = ends.ask();
  await ends.run();
  assert.is(await codeOf(requested), 'RELAY_E_INTERNAL');
  assert.not.match(JSON.stringify(ends.up), '1234');
  assert.equal(ends.failed, ['agent.state RELAY_E_INTERNAL']);
});

test('both ends stop at the deadline, even if a handler ignores it', async () => {
  let aborted = false;
  const stuck = (signal: AbortSignal): Promise<never> => {
    signal.addEventListener('abort', () => {
      aborted = true;
    });
    return new Promise(() => undefined);
  };
  const ends = await new Ends(state(stuck)).run();
  const requested = ends.ask(500);
  await ends.run();
  ends.clock.pass(500);
  assert.is(await codeOf(requested), 'RELAY_E_TIMEOUT');
  await ends.run();
  assert.ok(aborted);
  assert.is(ends.caller.calls, 0);
  assert.is(ends.clock.waiting, 0);
});

test('a caller that stops waiting cancels the call', async () => {
  let aborted = false;
  const slow = (signal: AbortSignal): Promise<never> => {
    signal.addEventListener('abort', () => {
      aborted = true;
    });
    return new Promise(() => undefined);
  };
  const ends = await new Ends(state(slow)).run();
  const stop = new AbortController();
  const requested = ends.ask(1000, stop.signal);
  await ends.run();
  stop.abort();
  assert.is(await codeOf(requested), 'RELAY_E_UNAVAILABLE');
  await ends.run();
  assert.ok(aborted);
});

test('many replies arrive in order, never more than the reader granted', async () => {
  let made = 0;
  async function* many(): AsyncGenerator<unknown> {
    for (; made < 50; made++) yield made;
  }
  const ends = await new Ends(
    state(() => many()),
    { credits: 4 },
  ).run();
  const replies: unknown[] = [];
  const reading = ends.caller.call('agent.state', {}, { timeout: 1000 });
  const first = reading.next();
  await ends.run();
  replies.push((await first).value);
  assert.ok(made <= 6, `${made} were made without a reader`);
  const rest = (async () => {
    for await (const reply of reading) replies.push(reply);
  })();
  for (let round = 0; round < 60; round++) await ends.run();
  await rest;
  assert.equal(
    replies,
    Array.from({ length: 50 }, (_, at) => at),
  );
});

test('a reader that stops ends the call', async () => {
  let ended = false;
  async function* endless(): AsyncGenerator<unknown> {
    try {
      for (;;) yield 'more';
    } finally {
      ended = true;
    }
  }
  const ends = await new Ends(
    state(() => endless()),
    { credits: 2 },
  ).run();
  const reading = (async () => {
    for await (const _ of ends.caller.call('agent.state', {}, { timeout: 1000 })) return;
  })();
  await ends.run();
  await reading;
  await ends.run();
  assert.ok(ended);
  assert.is(ends.caller.calls, 0);
});

test('answers, arguments and calls beyond the limits are rejected', async () => {
  const large = await new Ends(
    state(() => 'x'.repeat(2000)),
    { replyBytes: 1000 },
  ).run();
  const tooLarge = large.ask();
  await large.run();
  assert.is(await codeOf(tooLarge), 'RELAY_E_RESOURCE_EXHAUSTED');
  const argued = await new Ends(
    state(() => STATE),
    { argumentBytes: 10 },
  ).run();
  const tooMuch = argued.caller.ask('agent.state', { much: 'x'.repeat(50) } as never, { timeout: 1 });
  tooMuch.catch(() => undefined);
  await argued.run();
  assert.is(await codeOf(tooMuch), 'RELAY_E_RESOURCE_EXHAUSTED');
  const stuck = state(() => new Promise(() => undefined));
  const busy = await new Ends(stuck, { calls: 2 }, { calls: 5 }).run();
  const calls = [busy.ask(), busy.ask(), busy.ask()];
  await busy.run();
  assert.is(await codeOf(calls[2] as Promise<unknown>), 'RELAY_E_RESOURCE_EXHAUSTED', 'the agent takes two at once');
  const here = await new Ends(stuck, { calls: 1 }).run();
  void here.ask();
  assert.is(await codeOf(here.ask()), 'RELAY_E_RESOURCE_EXHAUSTED', 'and so does the server');
});

test('a tail continues beyond the byte and time limits of other calls, a few replies at a time', async () => {
  let made = 0;
  async function* endless(): AsyncGenerator<LogBatch> {
    for (;;) yield { entries: [{ number: made++ }] };
  }
  const tail: Handlers = { 'logs.tail': { read: () => ({ query: {}, history: 0 }), run: () => endless() } };
  const ends = await new Ends(tail, { totalBytes: 200, timeout: 1000, endlessTimeout: 50_000 }).run();
  const given = { query: {}, history: 0 };
  const reading = ends.caller.call('logs.tail', given, { timeout: 100_000, credits: 2 });
  const read = async (): Promise<unknown> => {
    const next = reading.next();
    await ends.run();
    return (await next).value?.entries[0];
  };
  assert.equal(await read(), { number: 0 });
  assert.ok(made <= 4, `${made} were made although two were granted`);
  ends.clock.pass(40_000);
  for (let at = 1; at < 40; at++) assert.equal(await read(), { number: at });
  ends.clock.pass(10_000);
  await ends.run();
  const rest: unknown[] = [];
  const over = codeOf(
    (async () => {
      for await (const reply of reading) rest.push(reply);
    })(),
  );
  await ends.run();
  assert.is(await over, 'RELAY_E_TIMEOUT', 'the agent ends it at last');
});

test('a cancelled tail is not a failure', async () => {
  const stuck: Handlers = {
    'logs.tail': { read: () => ({ query: {}, history: 0 }), run: () => new Promise(() => undefined) as never },
  };
  const ends = await new Ends(stuck).run();
  const stop = new AbortController();
  const reading = ends.caller.call('logs.tail', { query: {}, history: 0 }, { timeout: 1000, signal: stop.signal });
  const next = codeOf(reading.next());
  await ends.run();
  stop.abort();
  assert.is(await next, 'RELAY_E_UNAVAILABLE');
  await ends.run();
  assert.equal(ends.failed, []);
});

test('the server knows the agent’s capabilities from its hello', async () => {
  const agent = new InvokeResponder({ cluster: 'c1', term: 1, handlers: {}, capabilities: ['logs'] });
  const caller = new InvokeCaller({ cluster: 'c1' });
  assert.equal(caller.capabilities, []);
  caller.receive(over(invokeRequestCodec, agent.next() as InvokeRequest));
  assert.equal(caller.capabilities, ['logs']);
});

test('the end of the stream ends every call', async () => {
  const ends = await new Ends(state(() => new Promise(() => undefined))).run();
  const requested = ends.ask();
  await ends.run();
  ends.caller.end();
  ends.agent.end();
  assert.is(await codeOf(requested), 'RELAY_E_UNAVAILABLE');
  assert.is(await codeOf(ends.ask()), 'RELAY_E_UNAVAILABLE');
});

test('a reply to a call that was never made, or before hello, ends the stream', async () => {
  const reply = { type: 'reply', id: 9, result: new Uint8Array(), last: true } as const;
  const code = (work: () => void): unknown => {
    try {
      work();
    } catch (thrown) {
      return (thrown as RelayError).code;
    }
    return undefined;
  };
  const fresh = new InvokeCaller({ cluster: 'c1' });
  assert.is(
    code(() => fresh.receive(reply)),
    'RELAY_E_PROTOCOL',
  );
  const ends = await new Ends({}).run();
  assert.is(
    code(() => ends.caller.receive(reply)),
    'RELAY_E_PROTOCOL',
  );
  const hello = { type: 'hello', cluster: 'c2', term: 1, kinds: [], capabilities: [], program: '' } as const;
  assert.is(
    code(() => new InvokeCaller({ cluster: 'c1' }).receive(hello)),
    'RELAY_E_IDENTITY_MISMATCH',
  );
});

test.run();
