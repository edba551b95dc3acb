/** The real clock's {@link After}. */
import { clearTimeout, setTimeout } from 'node:timers';
import type { After } from './limits.ts';

export const afterReally: After = (milliseconds, work) => {
  const timer = setTimeout(work, milliseconds).unref();
  return () => clearTimeout(timer);
};
