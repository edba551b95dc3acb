/** Every command shows by an example how it is called, and each example is a call that the command takes. */
import { assert, test } from '@meshrelay/testing';
import { callProblem, type Leaf, leaves } from './support/commands.ts';

const LEAVES = leaves();

/** Lines of the help that call meshctl, up to what a shell does with the output. */
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
