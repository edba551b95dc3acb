/** When pings are counted, and that a flood of them is told whenever it begins. */
import { EventEmitter } from 'node:events';
import { assert, test } from '@meshrelay/testing';
import { PingWatch } from '../../src/grpc/ping-watch.ts';

const PING = 17;
const LIMITS = { pings: 100, window: 10_000 };

/** A connection whose bytes and clock are told by hand. */
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

  /** Looks until pings are counted no more. */
  calm(): this {
    for (let check = 0; check < 3; check++) this.pings(1).check();
    assert.not.ok(this.watch.counts);
    return this;
  }
}

test('pings are counted from the first on', () => {
  const line = new Line().pings(100);
  assert.is(line.floods, 0);
  assert.is(line.pings(1).floods, 1);
});

test('an agent’s pings are counted no more when they have been few for a while', () => {
  const line = new Line();
  line.pings(1).check().pings(1).check();
  assert.ok(line.watch.counts);
  line.pings(1).check();
  assert.not.ok(line.watch.counts);
  assert.is(line.session.listenerCount('ping'), 0);
  line.pings(1).check().pings(2).check();
  assert.not.ok(line.watch.counts);
});

test('a flood that begins late is told in the window behind the look that finds its bytes', () => {
  const line = new Line().calm();
  line.pings(5000).check();
  assert.ok(line.watch.counts);
  assert.is(line.floods, 0);
  assert.ok(line.pings(101).floods > 0);
});

test('so is one whose pings are packed as tightly as they can be', () => {
  const line = new Line().calm();
  assert.ok(line.pings(101, 0).check().watch.counts);
});

test('who has flooded once is counted for a while', () => {
  const line = new Line().calm();
  line.pings(5000).check();
  line.pings(1).check().pings(1).check();
  assert.ok(line.pings(101).floods > 0);
});

test('where much comes that is no pings, they are counted, and are no flood', () => {
  const line = new Line().calm();
  for (let round = 0; round < 10; round++) {
    line.data(1_000_000).pings(1).check();
    assert.ok(line.watch.counts);
  }
  assert.is(line.floods, 0);
});

test('as long as no ping has come, nothing proves that bytes count them', () => {
  const line = new Line();
  for (let round = 0; round < 10; round++) line.data(10).check();
  assert.ok(line.watch.counts);
});

test('where bytes do not count pings, or are not known, pings are counted one by one for ever', () => {
  for (const bytes of [() => 4000, () => Number.NaN, () => undefined as unknown as number]) {
    const line = new Line(bytes);
    for (let round = 0; round < 10; round++) line.pings(1).check();
    assert.ok(line.watch.counts);
    assert.ok(line.pings(101).floods > 0);
  }
});

test.run();
