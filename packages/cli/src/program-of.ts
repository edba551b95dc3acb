/** meshctl with some of its commands, so that tests of single commands do not depend on the others. */
import { Command, Help, type Option } from 'commander';

/** Adds a command to meshctl. */
export type AddCommand = (program: Command) => void;

export function programOf(commands: readonly AddCommand[]): Command {
  const program = new Command('meshctl')
    .description('meshctl manages Meshrelay: one API for the service meshes of many Kubernetes clusters.')
    .showSuggestionAfterError(true)
    .configureHelp({ optionDescription: describeOption })
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  for (const add of commands) add(program);
  for (const command of program.commands.flatMap((one) => [one, ...one.commands]))
    command.exitOverride().configureOutput({ outputError: () => undefined });
  return program;
}

/** Omits the default of repeatable options, which is always empty. */
function describeOption(option: Option): string {
  return Array.isArray(option.defaultValue) ? option.description : new Help().optionDescription(option);
}
