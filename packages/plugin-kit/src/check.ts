/** A named check for any test runner. */

/** Passes if `run` returns, fails if it throws. Checks share no state and may run in any order. */
export interface Check {
  /** Unique among the checks of one plugin. */
  readonly name: string;
  readonly run: () => void | Promise<void>;
  /** True if it takes many seconds, so that a project may run it separately. */
  readonly slow?: boolean;
}

/** The part of a test runner that registering needs: `test` of node:test, uvu, vitest or jest. */
export type RegisterTest = (name: string, run: () => void | Promise<void>) => unknown;

/** Registers each check as a test with its name. With uvu, call `test.run()` afterwards. */
export function registerChecks(checks: readonly Check[], test: RegisterTest): void {
  for (const { name, run } of checks) test(name, () => run());
}
