/** Tests that checks catch wrong plugins: each seeded mistake must fail at least one check. */
import process from 'node:process';
import * as assert from 'uvu/assert';
import { seedOfThisRun } from './random-runs.ts';
import { TEST_SCALE } from './scale.ts';
import { importMutant, type SourceMutant } from './source-mutant.ts';
import { test } from './test.ts';

/** A mistake in a plugin. */
export interface WrongPlugin extends SourceMutant {
  /** The beginning of the name of a check that catches it, which is tried first; omitted: one of `first`. */
  readonly caughtBy?: string;
}

interface NamedCheck {
  readonly name: string;
  readonly run: () => void | Promise<void>;
}

/** The plugin and its checks. */
export interface CheckedPlugin<P> {
  /** Its module, relative to the root of the workspace. */
  readonly entry: string;
  readonly correct: P;
  /** All checks of a plugin. */
  readonly checksOf: (plugin: P) => readonly NamedCheck[];
  /** The beginnings of the names of checks that are tried before all others, in this order. */
  readonly first: readonly string[];
}

/** A test for each chosen mistake, and one that the correct plugin passes the checks that are tried first. */
export function testWrongPlugins<P>(
  wrong: readonly WrongPlugin[],
  { entry, correct, checksOf, first }: CheckedPlugin<P>,
): void {
  const chosen = chosenOf(wrong);
  test('the correct plugin passes the checks that catch the wrong ones', async () => {
    const beginnings = [...first, ...chosen.flatMap(({ caughtBy }) => caughtBy ?? [])];
    for (const { name, run } of checksOf(correct))
      if (beginnings.some((beginning) => name.startsWith(beginning))) await run();
  });
  for (const mutant of chosen)
    test(`caught: ${mutant.name}`, async () => {
      const { default: plugin } = await importMutant(mutant, entry);
      const { caughtBy } = mutant;
      const order = caughtBy === undefined ? first : [caughtBy, ...first];
      const caught = await firstFailure(checksOf(plugin as P), order);
      assert.ok(caught, `no check catches ${mutant.name}: ${mutant.file} with ${JSON.stringify(mutant.put)}`);
    });
}

/** The name of the first check that fails; undefined if all pass. */
async function firstFailure(checks: readonly NamedCheck[], order: readonly string[]): Promise<string | undefined> {
  const rankOf = ({ name }: NamedCheck): number => {
    const rank = order.findIndex((beginning) => name.startsWith(beginning));
    return rank < 0 ? order.length : rank;
  };
  for (const { name, run } of [...checks].sort((one, other) => rankOf(one) - rankOf(other))) {
    try {
      await run();
    } catch {
      return name;
    }
  }
  return undefined;
}

/**
 * Those whose names contain a text of MESHRELAY_MUTANT. Without it, all at ten times the scale of CI, and else a part
 * that depends on the seed.
 */
function chosenOf(wrong: readonly WrongPlugin[]): readonly WrongPlugin[] {
  const texts = process.env['MESHRELAY_MUTANT']?.split(',');
  if (texts !== undefined) return wrong.filter(({ name }) => texts.some((text) => name.includes(text)));
  if (Number(process.env[TEST_SCALE]) >= ALL_FROM_SCALE) return wrong;
  const seed = seedOfThisRun(0);
  return wrong.filter((_, index) => (index + seed) % PARTS === 0);
}

const ALL_FROM_SCALE = 10;
const PARTS = 3;
