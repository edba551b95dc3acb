/** Every command shows by an example how it is called, and each example is a call that the command takes. */
import { assert, test } from '@meshrelay/testing';
import type { Command } from 'commander';
import { type Leaf, leaves } from './support/commands.ts';

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

/** What the command would say of these words; nothing where it takes them. */
function complaint(command: Command, words: readonly string[]): string | undefined {
  let index = 0;
  let places = 0;
  while (index < words.length) {
    const word = words[index++] ?? '';
    if (!word.startsWith('-')) {
      places++;
      continue;
    }
    const option = command.options.find(({ long, short }) => long === word || short === word);
    if (option === undefined) return `there is no ${word}`;
    if (!option.required) continue;
    const value = words[index++];
    if (value === undefined) return `${word} lacks its value`;
    option.parseArg?.(value, option.defaultValue ?? []);
  }
  const needed = command.registeredArguments.filter(({ required }) => required).length;
  if (places < needed || places > command.registeredArguments.length) return `${places} arguments`;
  const missing = command.options.find(({ mandatory, long }) => mandatory && !words.includes(long ?? ''));
  return missing === undefined ? undefined : `${missing.long} is missing`;
}

for (const leaf of LEAVES)
  test(`${leaf.name} has an example of itself`, () => {
    const examples = examplesOf(leaf);
    assert.ok(
      examples.some((line) => line === `meshctl ${leaf.name}` || line.startsWith(`meshctl ${leaf.name} `)),
      examples.join('\n'),
    );
    for (const line of examples) {
      const called = LEAVES.filter(({ name }) => `${line} `.startsWith(`meshctl ${name} `))[0];
      assert.ok(called, line);
      const words = line.slice(`meshctl ${called?.name}`.length).match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
      assert.is(called === undefined ? '' : complaint(called.command, words), undefined, line);
    }
  });

test.run();
