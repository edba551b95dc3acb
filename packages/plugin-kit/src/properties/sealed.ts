/** Runs a function without access to clock and randomness. */

/** Runs `act`, in which every access to the clock and to randomness throws. */
export function sealed<T>(act: () => T): T {
  const { random } = Math;
  const { Date: RealDate } = globalThis;
  const { now } = performance;
  const refuse = (what: string) => (): never => {
    throw new Error(`it uses ${what}; plugins are pure: the same views give the same objects at any time`);
  };
  Math.random = refuse('Math.random');
  performance.now = refuse('performance.now');
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args) => (args.length === 0 ? refuse('the time of day')() : Reflect.construct(target, args)),
    apply: refuse('the time of day'),
    get: (target, name) => (name === 'now' ? refuse('Date.now') : Reflect.get(target, name)),
  });
  try {
    return act();
  } finally {
    Math.random = random;
    performance.now = now;
    globalThis.Date = RealDate;
  }
}
