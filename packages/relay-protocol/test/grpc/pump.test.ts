/** When a stream that has nothing to carry is spoken on. */
import { EventEmitter } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers';
import { assert, eventually, test } from '@meshrelay/testing';
import { pushRequestCodec, pushResponseCodec } from '../../src/codec/codec.ts';
import type { RelayError } from '../../src/errors.ts';
import { type Heartbeats, Pump, type RawStream, sharedHeartbeats } from '../../src/grpc/pump.ts';
import type { KindLag, PushRequest, PushResponse } from '../../src/message.ts';
import type { StreamMachine } from '../../src/stream/machine.ts';
import { KINDS } from '../link.ts';

const HOUR = 3_600_000;
const NEVER: Heartbeats = { every: 2, idleTimeoutMs: HOUR, openWithin: HOUR, staleAfter: HOUR };
const BEHIND: readonly KindLag[] = KINDS.slice(0, 1).map((kind) => ({ kind, entries: 3, age: 10 }));

/** A sender with nothing to send over a stream that takes everything, and what was written there. */
class Quiet implements Disposable {
  /** How far the peer is behind in each kind. */
  lags: readonly KindLag[] = [];
  /** How often the pump looked at that. */
  attempts = 0;
  readonly written: PushRequest[] = [];
  readonly stream: EventEmitter & RawStream;
  failure: RelayError | undefined;
  readonly #pump: Pump<PushResponse, PushRequest>;

  constructor(heartbeats: Partial<Heartbeats>, opened = true) {
    this.stream = Object.assign(new EventEmitter(), {
      write: (bytes: Uint8Array) => {
        this.written.push(pushRequestCodec.decode(bytes));
        return true;
      },
      resume: () => undefined,
    });
    const machine: StreamMachine<PushResponse, PushRequest> = {
      answered: 7,
      receive: () => undefined,
      next: () => undefined,
      lags: () => {
        this.attempts += 1;
        return this.lags;
      },
      drive: () => undefined,
      end: () => undefined,
    };
    const fail = (error: RelayError): void => {
      this.failure = error;
    };
    const codecs = { incoming: pushResponseCodec, outgoing: pushRequestCodec };
    this.#pump = new Pump({
      stream: this.stream,
      machine,
      ...codecs,
      heartbeats: sharedHeartbeats({ ...NEVER, ...heartbeats }),
      opened,
      fail,
    });
  }

  /** Waits until the pump has looked so many times more. */
  async looksMore(count: number): Promise<void> {
    const enough = this.attempts + count;
    await eventually(`${count} looks more`, () => this.attempts >= enough, { seen: () => this.attempts });
  }

  [Symbol.dispose](): void {
    this.#pump.stop();
  }
}

test('nothing is said to a peer that is not behind, until it was silent for long enough', async () => {
  using still = new Quiet({});
  using beating = new Quiet({ idleTimeoutMs: 20 });
  await still.looksMore(30);
  assert.equal(still.written, []);
  await eventually('two heartbeats', () => beating.written.length >= 2);
  assert.equal(beating.written[0], { type: 'heartbeat', answered: 7 });
  assert.ok(
    beating.attempts > 2 * beating.written.length,
    `${beating.attempts} looks, ${beating.written.length} heartbeats`,
  );
});

test('a peer that is behind is told so at each look, and once more when it is not', async () => {
  using pump = new Quiet({});
  pump.lags = BEHIND;
  await pump.looksMore(3);
  const lagging = { type: 'heartbeat', answered: 7, lags: BEHIND };
  assert.equal(pump.written.slice(0, 3), [lagging, lagging, lagging]);
  pump.lags = [];
  pump.written.length = 0;
  await pump.looksMore(10);
  assert.equal(pump.written, [{ type: 'heartbeat', answered: 7 }]);
});

test('what arrived while the process was held up counts before the stream is given up', async () => {
  using pump = new Quiet({ staleAfter: 300 });
  const arrived = new Promise<void>((read) => {
    const word = pushResponseCodec.encode({ type: 'heartbeat', answered: 0 });
    setTimeout(() => read(void pump.stream.emit('data', word)), 20);
  });
  const end = performance.now() + 400;
  while (performance.now() < end);
  // The look, which is due first, and what has arrived come in one turn of the event loop.
  await arrived;
  await new Promise<void>((turn) => setImmediate(turn));
  assert.is(pump.failure, undefined);
});

test('where nothing is heard for too long, the stream is given up', async () => {
  using pump = new Quiet({ staleAfter: 10 });
  await eventually('it gives up', () => pump.failure !== undefined);
  assert.is(pump.failure?.code, 'RELAY_E_STALE');
});

test('a peer that has not spoken at all is given up sooner, as nothing pings while there is no connection yet', async () => {
  using spoke = new Quiet({ openWithin: 10 });
  using mute = new Quiet({ openWithin: 10 }, false);
  await eventually('it gives up', () => mute.failure !== undefined);
  await spoke.looksMore(20);
  assert.is(spoke.failure, undefined);
});

test.run();
