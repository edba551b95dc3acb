/** Which connections a server pings, and the result for those that do not answer. */
import { setTimeout } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { assert, eventually, test } from '@meshrelay/testing';
import { Presence, type Requested } from '../../src/grpc/presence.ts';

const HOUR = 3_600_000;

/** A session with manual bytes, clock and answers. */
class Line implements Requested, Disposable {
  destroyed = false;
  /** Sent and not answered. */
  readonly pings: Array<(error: Error | null) => void> = [];
  sends: 'yes' | 'no' | 'throws' = 'yes';
  bytes: number;
  time = 0;
  readonly #presence: Presence;

  constructor({ timeoutMs = HOUR, bytes = 100 }: { readonly timeoutMs?: number; readonly bytes?: number } = {}) {
    const keepalive = { every: 30_000, timeoutMs };
    this.bytes = bytes;
    this.#presence = new Presence(this, bytes, keepalive, () => this.time);
  }

  ping(answered: (error: Error | null) => void): boolean {
    if (this.sends === 'throws') throw new Error('the session has ended');
    this.pings.push(answered);
    return this.sends === 'yes';
  }

  destroy(): void {
    this.destroyed = true;
  }

  after(milliseconds: number): this {
    this.time += milliseconds;
    this.#presence.check(this.bytes);
    return this;
  }

  [Symbol.dispose](): void {
    this.#presence.end();
  }
}

test('a connection with occasional data is never pinged', () => {
  using line = new Line();
  for (let round = 0; round < 100; round++) {
    line.bytes += round % 2;
    line.after(15_000);
  }
  assert.equal(line.pings, []);
});

test('an idle connection is pinged once, and again after an answer and the same idle time', () => {
  using line = new Line();
  line.after(10_000).after(10_000);
  assert.is(line.pings.length, 0);
  line.after(10_000).after(10_000).after(60_000);
  assert.is(line.pings.length, 1);
  line.pings.pop()?.(null);
  line.after(20_000);
  assert.is(line.pings.length, 0);
  line.after(10_000);
  assert.is(line.pings.length, 1);
  assert.not.ok(line.destroyed);
});

test('if bytes are not counted, every connection is pinged', () => {
  for (const bytes of [0, Number.NaN]) {
    using line = new Line({ bytes });
    line.after(30_000);
    assert.is(line.pings.length, 1);
  }
});

test('a connection without an answer in time is closed', async () => {
  using line = new Line({ timeoutMs: 1 });
  line.after(30_000);
  await eventually('it to be ended', () => line.destroyed);
});

test('a connection whose answer was read late is kept', async () => {
  using line = new Line({ timeoutMs: 5 });
  line.after(30_000);
  // The timer is due first; the data that arrived is read in the same turn of the event loop.
  setTimeout(() => line.pings.pop()?.(null), 20);
  const end = performance.now() + 50;
  while (performance.now() < end);
  await eventually('the answer to be read', () => line.pings.length === 0);
  await setImmediate();
  assert.not.ok(line.destroyed);
});

test('a connection that cannot be pinged, or whose ping fails, is closed', () => {
  for (const sends of ['no', 'throws'] as const) {
    using line = new Line();
    line.sends = sends;
    assert.ok(line.after(30_000).destroyed);
  }
  using line = new Line();
  line.after(30_000).pings.pop()?.(new Error('cancelled'));
  assert.ok(line.destroyed);
});

test('a closed session is not pinged', () => {
  using line = new Line();
  line.destroyed = true;
  assert.equal(line.after(60_000).pings, []);
});

test.run();
