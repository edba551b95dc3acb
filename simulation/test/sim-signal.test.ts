/** Abort signals of simulated processes: the behaviour of Node's signals on which the product relies. */
import { assert, test } from '@meshrelay/testing';
import { SimController, SimSignal } from '../src/runtime/sim-signal.ts';

test('listeners are called once, in order, and those removed meanwhile are not', () => {
  const { signal, controller } = made();
  const notify: string[] = [];
  const last = (): void => void notify.push('last');
  signal.addEventListener('abort', () => {
    notify.push('first');
    signal.removeEventListener('abort', last);
  });
  signal.addEventListener('abort', () => void notify.push('second'), { once: true });
  signal.addEventListener('abort', last);
  controller.abort('enough');
  controller.abort('again');
  assert.equal(notify, ['first', 'second']);
  assert.is(signal.reason, 'enough');
  assert.throws(() => signal.throwIfAborted());
});

test('a listener is removed with the signal that it was added with', () => {
  const { signal, controller } = made();
  const other = new SimController();
  let notify = 0;
  signal.addEventListener('abort', () => notify++, { signal: other.signal });
  other.abort();
  controller.abort();
  assert.is(notify, 0);
});

test('a dependent signal aborts with the first of its sources, after its own listeners', () => {
  const [one, other] = [made(), made()];
  const any = SimSignal.any([one.signal, other.signal]);
  const notify: string[] = [];
  any.addEventListener('abort', () => void notify.push(`any: ${any.reason}`));
  other.signal.addEventListener('abort', () => void notify.push('other'));
  other.controller.abort('over');
  one.controller.abort('late');
  assert.equal(notify, ['other', 'any: over']);
  assert.ok(SimSignal.any([one.signal]).aborted);
});

test('an abort without a reason gets a default reason', () => {
  const { signal, controller } = made();
  controller.abort();
  assert.is((signal.reason as Error).name, 'AbortError');
});

function made(): { readonly signal: SimSignal; readonly controller: SimController } {
  const controller = new SimController();
  return { signal: controller.signal, controller };
}

test.run();
