/** Node's clocks, timers and randomness, as simulated processes see them. Outside these processes nothing changes. */
import { Buffer } from 'node:buffer';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { memoizeKeys } from './memoized-keys.ts';
import { simulatedNow } from './scheduler.ts';
import { SimController, SimSignal } from './sim-signal.ts';
import { abortable, SimTimer } from './sim-timer.ts';

type Callback = (...given: unknown[]) => void;
type Timers = Record<
  'setTimeout' | 'setInterval' | 'setImmediate',
  (callback: Callback, ...rest: unknown[]) => unknown
> &
  Record<'clearTimeout' | 'clearInterval' | 'clearImmediate', (timer: unknown) => void>;

/** Replaces all of them, once and for this whole thread. Call it before importing Meshrelay. */
export function installBuiltins(): void {
  const load = createRequire(import.meta.url);
  const timers = simulatedTimers({ ...(load('node:timers') as Timers) });
  Object.assign(globalThis, timers);
  Object.assign(load('node:timers'), timers);
  installPromises(load('node:timers/promises'));
  installClocks();
  installSignals();
  // Node creates an async resource for each, for hooks that the simulation does not use; their order is the same.
  const soon = Promise.resolve();
  globalThis.queueMicrotask = (work) => void soon.then(work);
  installRandomness(load('node:crypto'));
  memoizeKeys(load('node:crypto'));
  syncBuiltinESMExports();
}

/** The longest delay of a Node timer. */
const LONGEST = 2 ** 31 - 1;

function simulatedTimers(real: Timers): Timers {
  const clear =
    (name: 'clearTimeout' | 'clearInterval' | 'clearImmediate') =>
    (timer: unknown): void => {
      if (timer instanceof SimTimer) timer.close();
      else real[name](timer);
    };
  const later =
    (name: 'setTimeout' | 'setInterval') =>
    (callback: Callback, ...rest: unknown[]): unknown => {
      const at = simulatedNow();
      if (at === undefined) return real[name](callback, ...rest);
      const [delay = 0, ...given] = rest;
      const requested = Number(delay) || 0;
      // Node's behaviour for delays out of range.
      const milliseconds = requested < 1 || requested > LONGEST ? 1 : requested;
      return new SimTimer(at.scheduler, at.process, milliseconds, name === 'setInterval', () => callback(...given));
    };
  return {
    setTimeout: later('setTimeout'),
    setInterval: later('setInterval'),
    setImmediate: (callback, ...given) => {
      const at = simulatedNow();
      if (at === undefined) return real.setImmediate(callback, ...given);
      return new SimTimer(at.scheduler, at.process, 0, false, () => callback(...given));
    },
    clearTimeout: clear('clearTimeout'),
    clearInterval: clear('clearInterval'),
    clearImmediate: clear('clearImmediate'),
  };
}

type Settings = { readonly signal?: AbortSignal };
type Sleep = (milliseconds?: number, value?: unknown, settings?: Settings) => Promise<unknown>;
type Soon = (value?: unknown, settings?: Settings) => Promise<unknown>;

function installPromises(module: { setTimeout: Sleep; setImmediate: Soon }): void {
  const { setTimeout: realSleep, setImmediate: realSoon } = module;
  const sleep: Sleep = (milliseconds = 1, value = undefined, { signal } = {}) =>
    simulatedNow() === undefined
      ? realSleep(milliseconds, value, signal === undefined ? {} : { signal })
      : abortable(signal, value, (wake) => setTimeout(wake, milliseconds) as unknown as Disposable);
  const soon: Soon = (value = undefined, { signal } = {}) =>
    simulatedNow() === undefined
      ? realSoon(value, signal === undefined ? {} : { signal })
      : abortable(signal, value, (wake) => setImmediate(wake) as unknown as Disposable);
  Object.assign(module, { setTimeout: sleep, setImmediate: soon });
}

/** Replaces every signal of this thread with a lightweight one. */
function installSignals(): void {
  // Every request leaves a timeout signal that fires long after it, and most of its cost is creating the exception.
  const tooLate = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  const timeout = (milliseconds: number): SimSignal => {
    const limit = new SimSignal();
    const at = simulatedNow();
    if (at === undefined) setTimeout(() => limit.end(tooLate), milliseconds).unref();
    else at.scheduler.timer(milliseconds, at.process, () => limit.end(tooLate));
    return limit;
  };
  Object.assign(globalThis, { AbortController: SimController, AbortSignal: Object.assign(SimSignal, { timeout }) });
}

function installClocks(): void {
  const RealDate = Date;
  const wall = (): number => {
    const at = simulatedNow();
    return at === undefined ? RealDate.now() : at.process.wall(at.scheduler.now);
  };
  class SimDate extends RealDate {
    constructor(...given: [] | [number | string | Date]) {
      super(...((given.length === 0 ? [wall()] : given) as [number]));
    }
    static override now(): number {
      return wall();
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Object.prototype.toString.call(value) === '[object Date]';
    }
  }
  globalThis.Date = SimDate as unknown as DateConstructor;
  const realNow = performance.now.bind(performance);
  performance.now = () => {
    const at = simulatedNow();
    return at === undefined ? realNow() : at.process.monotonic(at.scheduler.now);
  };
}

const HEX = '0123456789abcdef';

function installRandomness(crypto: { randomUUID: () => string; randomBytes: (size: number) => Buffer }): void {
  const { random } = Math;
  Math.random = () => simulatedNow()?.process.random() ?? random();
  const { randomUUID } = crypto;
  const uuid = (): string => {
    const own = simulatedNow()?.process.random;
    if (own === undefined) return randomUUID();
    let text = '';
    for (let at = 0; at < 32; at++)
      text += (at === 8 || at === 12 || at === 16 || at === 20 ? '-' : '') + HEX[Math.floor(own() * 16)];
    return text;
  };
  crypto.randomUUID = uuid;
  const { randomBytes } = crypto;
  crypto.randomBytes = (size) => {
    const own = simulatedNow()?.process.random;
    if (own === undefined) return randomBytes(size);
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size; at++) bytes[at] = own() * 256;
    return bytes;
  };
  globalThis.crypto.randomUUID = uuid as typeof globalThis.crypto.randomUUID;
}
