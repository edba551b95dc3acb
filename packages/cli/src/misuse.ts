/** Help for unknown commands and wrong calls, since commander suggests no next step. */
import { nearest } from '@meshrelay/api';
import { type Command, CommanderError } from 'commander';

const MISUSED: ReadonlySet<string> = new Set([
  'commander.missingArgument',
  'commander.conflictingOption',
  'commander.excessArguments',
  'commander.unknownOption',
  'commander.optionMissingArgument',
  'commander.missingMandatoryOptionValue',
]);

/** Such as `; see meshctl describe --help`; empty for errors that contain it. */
export function whereToLook(
  { code }: Pick<CommanderError, 'code'>,
  program: Command,
  words: readonly string[],
): string {
  return MISUSED.has(code) ? `; see ${called(program, words).path} --help` : '';
}

/**
 * Without this check, commander would print the help of the group.
 * @throws CommanderError for an unknown command
 */
export function refuseUnknownCommand(program: Command, words: readonly string[]): void {
  const [first, ...rest] = words;
  const { command, path, next } = called(program, first === 'help' ? rest : words);
  if (next === undefined || next === 'help' || next.startsWith('-') || command.commands.length === 0) return;
  const names = command.commands.map((one) => one.name());
  const meant = nearest(next, names);
  const hint = meant === undefined ? `see ${path} --help` : `did you mean ${path} ${meant}?`;
  const unknown = `${path} ${next}`.replace(/^meshctl /, '');
  throw new CommanderError(1, 'meshctl.unknownCommand', `error: unknown command "${unknown}"; ${hint}`);
}

interface Called {
  readonly command: Command;
  /** With the program's own name. */
  readonly path: string;
  /** The first word that is not a command. */
  readonly next: string | undefined;
}

/** The command that the leading words name. */
function called(program: Command, [next, ...rest]: readonly string[], path: string = program.name()): Called {
  const found = program.commands.find((one) => one.name() === next);
  return found === undefined ? { command: program, path, next } : called(found, rest, `${path} ${next}`);
}
