/** A named check that any test runner can run. */

/** Passes when `run` comes to its end, fails when it throws. Checks share no state and may run in any order. */
export interface Check {
  /** Unique among the checks of one plugin. */
  readonly name: string;
  readonly run: () => void | Promise<void>;
  /** True where it takes many seconds, so that a project may run it apart from the others. */
  readonly slow?: boolean;
}

/** As much of a test runner as registering takes: `test` of node:test, uvu, vitest or jest. */
export type RegisterTest = (name: string, run: () => void | Promise<void>) => unknown;

/** Registers each check as a test of its name. With uvu, call `test.run()` afterwards. */
export function registerChecks(checks: readonly Check[], test: RegisterTest): void {
  for (const { name, run } of checks) test(name, () => run());
}
