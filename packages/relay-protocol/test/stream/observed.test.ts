/** Observing a machine: everything passes unchanged, and is reported in order. */
import { assert, test } from '@meshrelay/testing';
import { RelayError } from '../../src/errors.ts';
import type { MachineDriver, StreamMachine } from '../../src/stream/machine.ts';
import { observed } from '../../src/stream/observed.ts';

class Echo implements StreamMachine<string, string> {
  readonly log: string[];
  answered = 0;
  driver: MachineDriver | undefined;
  readonly #waiting: string[] = [];

  constructor(log: string[]) {
    this.log = log;
  }

  receive(message: string): void {
    if (message === 'bad') throw new RelayError('RELAY_E_PROTOCOL', 'bad');
    this.log.push(`machine ${message}`);
    this.answered += 1;
    this.#waiting.push(message);
  }

  next(): string | undefined {
    return this.#waiting.shift();
  }

  drive(driver: MachineDriver): void {
    this.driver = driver;
  }

  end(reason?: RelayError): void {
    this.log.push(`end ${reason?.code}`);
  }
}

test('messages are reported before and after the machine processes them, and the machine runs unchanged', () => {
  const log: string[] = [];
  const echo = new Echo(log);
  const machine = observed(echo, {
    receiving: (message) => log.push(`receiving ${message}`),
    received: (message) => log.push(`received ${message}`),
    sending: (message) => log.push(`sending ${message}`),
    lagging: (lags) => log.push(`lagging ${lags.length}`),
    ending: (reason) => log.push(`ending ${reason?.code}`),
  });
  const driver: MachineDriver = { ready: () => undefined, fail: () => undefined };
  machine.drive(driver);
  assert.is(echo.driver, driver);
  machine.receive('a');
  assert.is(machine.answered, 1);
  assert.equal([machine.next(), machine.next()], ['a', undefined]);
  assert.equal(machine.lags?.(), []);
  machine.end(new RelayError('RELAY_E_TIMEOUT', 'x'));
  assert.equal(log, [
    'receiving a',
    'machine a',
    'received a',
    'sending a',
    'lagging 0',
    'ending RELAY_E_TIMEOUT',
    'end RELAY_E_TIMEOUT',
  ]);
});

test('a message that the machine rejects is not reported as received', () => {
  const log: string[] = [];
  const machine = observed(new Echo(log), { received: () => log.push('received') });
  assert.throws(
    () => machine.receive('bad'),
    (error: Error) => error.message === 'bad',
  );
  assert.equal(log, []);
  machine.receive('good');
  assert.equal(log, ['machine good', 'received']);
});

test.run();
