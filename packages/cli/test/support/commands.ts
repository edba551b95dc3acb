/** All commands of meshctl, from the program itself. */
import type { Command } from 'commander';
import { createProgram } from '../../src/program.ts';

export interface Leaf {
  /** Such as `cluster list`. */
  readonly name: string;
  readonly command: Command;
}

/** Every command with an action, without groups. */
export function leaves(command: Command = createProgram(), words: readonly string[] = []): readonly Leaf[] {
  if (command.commands.length === 0) return [{ name: words.join(' '), command }];
  return command.commands.flatMap((one) => leaves(one, [...words, one.name()]));
}

const LEAVES = leaves();

/** meshctl's error for a call such as `meshctl cluster list`; undefined if it accepts the call. */
export function callProblem(call: string): string | undefined {
  const called = LEAVES.filter(({ name }) => `${call} `.startsWith(`meshctl ${name} `))[0];
  if (called === undefined) return `unknown command: ${call}`;
  return wordsProblem(called.command, call.slice(`meshctl ${called.name}`.length).match(/"[^"]*"|'[^']*'|\S+/g) ?? []);
}

/** The command's error for these words; undefined if it accepts them. */
function wordsProblem(command: Command, words: readonly string[]): string | undefined {
  let index = 0;
  let places = 0;
  while (index < words.length) {
    const word = words[index++] ?? '';
    if (!word.startsWith('-')) {
      places++;
      continue;
    }
    const option = command.options.find(({ long, short }) => long === word || short === word);
    if (option === undefined) return `unknown option ${word}`;
    if (!option.required && !option.optional) continue;
    const next = words[index];
    if (option.optional && (next === undefined || next.startsWith('-'))) continue;
    const value = words[index++];
    if (value === undefined) return `${word} lacks its value`;
    option.parseArg?.(value, option.defaultValue ?? []);
  }
  const needed = command.registeredArguments.filter(({ required }) => required).length;
  if (places < needed || places > command.registeredArguments.length) return `${places} arguments`;
  const missing = command.options.find(({ mandatory, long }) => mandatory && !words.includes(long ?? ''));
  return missing === undefined ? undefined : `${missing.long} is missing`;
}
