/** The help of every command has an example, and the command accepts it. */
import { assert, test } from '@meshrelay/testing';
import { callProblem, type Leaf, leaves } from './support/commands.ts';

const LEAVES = leaves();

/** Lines of the help that call meshctl, up to shell operators after the call. */
function examplesOf({ command }: Leaf): string[] {
  let text = '';
  const writeOut = (part: string): void => {
    text += part;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => 200 });
  command.outputHelp();
  const [, after = ''] = text.split(/^Examples?:$/m);
  return after.split('\n').flatMap((line) => /^ +(?:.*\| )?(meshctl [^|>#]*)/.exec(line)?.[1]?.trim() ?? []);
}

for (const leaf of LEAVES)
  test(`${leaf.name} has an example of itself`, () => {
    const examples = examplesOf(leaf);
    assert.ok(
      examples.some((line) => line === `meshctl ${leaf.name}` || line.startsWith(`meshctl ${leaf.name} `)),
      examples.join('\n'),
    );
    for (const line of examples) {
      assert.is(callProblem(line), undefined, line);
    }
  });

test.run();
