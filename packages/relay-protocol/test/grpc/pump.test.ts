/** When heartbeats are sent on an idle stream. */
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

/** A sender without content over a stream that accepts everything, and the written messages. */
class Quiet implements Disposable {
  /** Lag of the peer in each kind. */
  lags: readonly KindLag[] = [];
  /** Number of times the pump read it. */
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

  /** Waits until the pump has checked that many more times. */
  async looksMore(count: number): Promise<void> {
    const enough = this.attempts + count;
    await eventually(`${count} looks more`, () => this.attempts >= enough, { seen: () => this.attempts });
  }

  [Symbol.dispose](): void {
    this.#pump.stop();
  }
}

test('without a lag, a heartbeat is sent only after enough idle time', async () => {
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

test('a lag is reported at each check, and once more when it ends', async () => {
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

test('data that arrived while the process was blocked counts before the stream times out', async () => {
  using pump = new Quiet({ staleAfter: 300 });
  const arrived = new Promise<void>((read) => {
    const word = pushResponseCodec.encode({ type: 'heartbeat', answered: 0 });
    setTimeout(() => read(void pump.stream.emit('data', word)), 20);
  });
  const end = performance.now() + 400;
  while (performance.now() < end);
  // The check, which is due first, and the arrived data come in one turn of the event loop.
  await arrived;
  await new Promise<void>((turn) => setImmediate(turn));
  assert.is(pump.failure, undefined);
});

test('a stream without messages for too long times out', async () => {
  using pump = new Quiet({ staleAfter: 10 });
  await eventually('it gives up', () => pump.failure !== undefined);
  assert.is(pump.failure?.code, 'RELAY_E_TIMEOUT');
});

test('a peer that never sent anything times out sooner, as pings start only with the connection', async () => {
  using spoke = new Quiet({ openWithin: 10 });
  using mute = new Quiet({ openWithin: 10 }, false);
  await eventually('it gives up', () => mute.failure !== undefined);
  await spoke.looksMore(20);
  assert.is(spoke.failure, undefined);
});

test.run();
