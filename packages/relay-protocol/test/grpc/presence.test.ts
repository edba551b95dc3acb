/** Which connections a server asks whether they are there, and what becomes of those that do not answer. */
import { setTimeout } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { assert, eventually, test } from '@meshrelay/testing';
import { Presence, type Requested } from '../../src/grpc/presence.ts';

const HOUR = 3_600_000;

/** A session whose bytes, clock and answers are told by hand. */
class Line implements Requested, Disposable {
  destroyed = false;
  /** Those that were sent and not answered. */
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

test('a connection on which something comes now and then is never asked', () => {
  using line = new Line();
  for (let round = 0; round < 100; round++) {
    line.bytes += round % 2;
    line.after(15_000);
  }
  assert.equal(line.pings, []);
});

test('one that is silent is asked once, and again when it has answered and is silent as long again', () => {
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

test('where bytes are not counted, every connection is asked', () => {
  for (const bytes of [0, Number.NaN]) {
    using line = new Line({ bytes });
    line.after(30_000);
    assert.is(line.pings.length, 1);
  }
});

test('who does not answer in time is given up', async () => {
  using line = new Line({ timeoutMs: 1 });
  line.after(30_000);
  await eventually('it to be ended', () => line.destroyed);
});

test('who answers is not, though the answer was read late', async () => {
  using line = new Line({ timeoutMs: 5 });
  line.after(30_000);
  // The timer is due first, and what has arrived is read in the same turn of the event loop.
  setTimeout(() => line.pings.pop()?.(null), 20);
  const end = performance.now() + 50;
  while (performance.now() < end);
  await eventually('the answer to be read', () => line.pings.length === 0);
  await setImmediate();
  assert.not.ok(line.destroyed);
});

test('who cannot be asked, or whose ping fails, is given up', () => {
  for (const sends of ['no', 'throws'] as const) {
    using line = new Line();
    line.sends = sends;
    assert.ok(line.after(30_000).destroyed);
  }
  using line = new Line();
  line.after(30_000).pings.pop()?.(new Error('cancelled'));
  assert.ok(line.destroyed);
});

test('a session that has ended is not asked', () => {
  using line = new Line();
  line.destroyed = true;
  assert.equal(line.after(60_000).pings, []);
});

test.run();
