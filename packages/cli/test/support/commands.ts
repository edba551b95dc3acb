/** All commands of meshctl, by the program itself. */
import type { Command } from 'commander';
import { createProgram } from '../../src/program.ts';

export interface Leaf {
  /** Such as `cluster list`. */
  readonly name: string;
  readonly command: Command;
}

/** Every command that does something, without those that only group others. */
export function leaves(command: Command = createProgram(), words: readonly string[] = []): readonly Leaf[] {
  if (command.commands.length === 0) return [{ name: words.join(' '), command }];
  return command.commands.flatMap((one) => leaves(one, [...words, one.name()]));
}
