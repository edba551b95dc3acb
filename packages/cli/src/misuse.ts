/** Where to look after a command was called in a way it does not know: what commander itself says names no next step. */
import type { CommanderError } from 'commander';

const MISUSED: ReadonlySet<string> = new Set([
  'commander.missingArgument',
  'commander.excessArguments',
  'commander.unknownOption',
  'commander.optionMissingArgument',
]);

/** Such as `; see meshctl describe --help`; empty for errors that say it themselves. */
export function whereToLook({ code }: Pick<CommanderError, 'code'>, args: readonly string[]): string {
  if (!MISUSED.has(code)) return '';
  const words = args.filter((word) => /^[a-z]+$/.test(word));
  return `; see meshctl ${[...words.slice(0, words[0] === 'cluster' ? 2 : 1), '--help'].join(' ')}`;
}
