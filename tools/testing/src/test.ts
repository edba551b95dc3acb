/** uvu's test functions. Under the test runner they also report which tests are registered and running. */
import { type Callback, type Test, suite as uvuSuite, test as uvuTest } from 'uvu';
import { OBSERVER, type TestObserver } from './observer.ts';

const observer = (globalThis as { [OBSERVER]?: TestObserver })[OBSERVER];

/** A named group of tests with its own context. Like `test`, it runs only the tests registered before its `run()`. */
export function suite<T = Record<string, unknown>>(title?: string, context?: T): Test<T> {
  return observed(uvuSuite(title, context));
}

/** Registers a test; the file ends with `test.run()`. */
export const test: Test = observed(uvuTest);

function observed<T>(inner: Test<T>): Test<T> {
  if (!observer) return inner;
  const into = (register: (name: string, handler: Callback<T>) => void, only: boolean) => {
    return (name: string, handler: Callback<T>): void => {
      observer.registered(name, only);
      register(name, async (context) => {
        observer.started(name);
        try {
          await handler(context);
        } catch (error) {
          observer.failed(name, error);
          throw error;
        }
      });
    };
  };
  const { skip, before, after, run } = inner;
  return Object.assign(into(inner, false), { only: into(inner.only, true), skip, before, after, run });
}
