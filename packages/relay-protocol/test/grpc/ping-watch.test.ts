/** When pings are counted, and that a flood is detected whenever it starts. */
import { EventEmitter } from 'node:events';
import { assert, test } from '@meshrelay/testing';
import { PingWatch } from '../../src/grpc/ping-watch.ts';

const PING = 17;
const LIMITS = { pings: 100, window: 10_000 };

/** A connection with manual bytes and clock. */
class Line {
  readonly session: EventEmitter = new EventEmitter();
  floods = 0;
  #bytes = 4000;
  #time = 0;
  readonly watch: PingWatch;
  readonly #sent: () => number;

  constructor(sent?: () => number) {
    this.#sent = sent ?? (() => this.#bytes);
    this.watch = new PingWatch({
      session: this.session,
      bytes: this.#sent(),
      now: () => this.#time,
      flooded: () => {
        this.floods += 1;
      },
      ...LIMITS,
    });
  }

  pings(count: number, overhead = 22): this {
    for (let at = 0; at < count; at++) {
      this.#bytes += PING + overhead;
      this.session.emit('ping');
    }
    return this;
  }

  data(bytes: number): this {
    this.#bytes += bytes;
    return this;
  }

  /** A window passes. */
  check(): this {
    this.#time += LIMITS.window;
    this.watch.check(this.#sent());
    return this;
  }

  /** Checks until pings are no longer counted. */
  calm(): this {
    for (let check = 0; check < 3; check++) this.pings(1).check();
    assert.not.ok(this.watch.counts);
    return this;
  }
}

test('pings are counted from the start', () => {
  const line = new Line().pings(100);
  assert.is(line.floods, 0);
  assert.is(line.pings(1).floods, 1);
});

test('an agent’s pings are no longer counted after being few for a while', () => {
  const line = new Line();
  line.pings(1).check().pings(1).check();
  assert.ok(line.watch.counts);
  line.pings(1).check();
  assert.not.ok(line.watch.counts);
  assert.is(line.session.listenerCount('ping'), 0);
  line.pings(1).check().pings(2).check();
  assert.not.ok(line.watch.counts);
});

test('a late flood is detected in the window after the check that finds its bytes', () => {
  const line = new Line().calm();
  line.pings(5000).check();
  assert.ok(line.watch.counts);
  assert.is(line.floods, 0);
  assert.ok(line.pings(101).floods > 0);
});

test('so is a flood with pings packed as densely as possible', () => {
  const line = new Line().calm();
  assert.ok(line.pings(101, 0).check().watch.counts);
});

test('after a flood, pings are counted for a while', () => {
  const line = new Line().calm();
  line.pings(5000).check();
  line.pings(1).check().pings(1).check();
  assert.ok(line.pings(101).floods > 0);
});

test('when many bytes arrive that are not pings, pings are counted, without a flood', () => {
  const line = new Line().calm();
  for (let round = 0; round < 10; round++) {
    line.data(1_000_000).pings(1).check();
    assert.ok(line.watch.counts);
  }
  assert.is(line.floods, 0);
});

test('without any ping, nothing proves that the bytes include pings', () => {
  const line = new Line();
  for (let round = 0; round < 10; round++) line.data(10).check();
  assert.ok(line.watch.counts);
});

test('if bytes do not include pings, or are unknown, pings are always counted one by one', () => {
  for (const bytes of [() => 4000, () => Number.NaN, () => undefined as unknown as number]) {
    const line = new Line(bytes);
    for (let round = 0; round < 10; round++) line.pings(1).check();
    assert.ok(line.watch.counts);
    assert.ok(line.pings(101).floods > 0);
  }
});

test.run();
