// Man pages of meshctl: one for the program, one for each group and command, from the same texts as the help.
import type { Argument, Command, Option } from 'commander';

/** The pages by the names of their files, such as `meshctl-cluster-list.1`. */
export function manPages(program: Command): ReadonlyMap<string, string> {
  const commands = [program, ...program.commands.flatMap((command) => [command, ...command.commands])];
  return new Map(commands.map((command) => [`${pageName(command)}.1`, page(command)]));
}

const FILES = 'FILES AND VARIABLES';
const EXIT_CODES: ReadonlyArray<readonly [code: string, meaning: string]> = [
  ['0', 'The command succeeded and found no problem.'],
  ['1', 'Invalid input, or a cluster that cannot be reached: one message on stderr, and nothing is written to files.'],
  ['2', 'The command succeeded and found a problem or a change.'],
];

function page(command: Command): string {
  const title = pageName(command);
  const parts = [
    `.\\" Generated from packages/cli by scripts/generate.ts.`,
    `.TH ${quoted(title.toUpperCase())} 1 "" "Meshrelay" "Meshrelay Manual"`,
    '.SH NAME',
    `${text(title)} \\- ${text(summaryOf(command))}`,
    '.SH SYNOPSIS',
    `.B ${text(callOf(command))}`,
    text(usageOf(command)),
    '.SH DESCRIPTION',
    ...paragraphs(command.description()),
    ...section('ARGUMENTS', argumentsOf(command)),
    ...section('COMMANDS', command.commands.map(commandEntry)),
    ...section('OPTIONS', command.options.filter(({ hidden }) => !hidden).map(optionEntry)),
    ...(command.commands.length > 0 ? [] : examplesOf(command)),
    ...section(
      'EXIT STATUS',
      EXIT_CODES.map(([code, meaning]) => entry(text(code), text(meaning))),
    ),
    ...section(FILES, [
      entry(text('KUBECONFIG, ~/.kube/config'), text('Clusters and contexts, unless --kubeconfig names a file.')),
    ]),
    '.SH SEE ALSO',
    text(relatives(command).map(pageName).sort().join(', ')).replaceAll(/(\S+?)(,|$)/g, '$1(1)$2'),
  ];
  return `${parts.filter((line) => line !== '').join('\n')}\n`;
}

function pageName(command: Command): string {
  return callOf(command).replaceAll(' ', '-');
}

function callOf(command: Command): string {
  return command.parent === null ? command.name() : `${callOf(command.parent)} ${command.name()}`;
}

function usageOf(command: Command): string {
  return command.usage();
}

function summaryOf(command: Command): string {
  return command.parent === null ? 'manage Meshrelay, one API for many service meshes' : command.summary();
}

/** The group, its other commands and its members. */
function relatives(command: Command): readonly Command[] {
  const { parent } = command;
  const around = parent === null ? [] : [parent, ...(parent.parent === null ? [] : parent.commands)];
  return [...around, ...command.commands].filter((other) => other !== command);
}

function argumentsOf(command: Command): readonly string[] {
  const described = command.registeredArguments.filter(({ description }) => description !== '');
  return described.map((argument: Argument) => entry(`\\fI${text(argument.name())}\\fR`, text(argument.description)));
}

function commandEntry(command: Command): string {
  return entry(`\\fB${text(command.name())}\\fR`, `${text(command.summary())}; see ${text(pageName(command))}(1)`);
}

function optionEntry({ flags, description, defaultValue, defaultValueDescription, envVar }: Option): string {
  const shown = defaultValueDescription ?? (isShown(defaultValue) ? String(defaultValue) : undefined);
  const notes = [
    ...(shown === undefined ? [] : [`default: ${shown}`]),
    ...(envVar === undefined ? [] : [`variable: ${envVar}`]),
  ];
  const more = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  return entry(`\\fB${text(flags)}\\fR`, text(`${description}${more}`));
}

/** The default of repeatable options is empty. */
function isShown(value: unknown): boolean {
  return value !== undefined && !Array.isArray(value);
}

/** The lines that the help prints after the options. */
function examplesOf(command: Command): readonly string[] {
  let help = '';
  command.configureOutput({
    writeOut: (part) => {
      help += part;
    },
    getOutHelpWidth: () => 1000,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  const [, after = ''] = help.split(/^Examples?:\n/m);
  const lines = after.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? [] : ['.SH EXAMPLES', '.nf', ...lines.map((line) => text(line.trim())), '.fi'];
}

function section(title: string, entries: readonly string[]): readonly string[] {
  return entries.length === 0 ? [] : [`.SH ${title}`, ...entries];
}

function entry(term: string, description: string): string {
  return `.TP\n${term}\n${description}`;
}

function paragraphs(description: string): readonly string[] {
  return description.split('\n').flatMap((line) => ['.PP', text(line)]);
}

/** Without a meaning for roff: no escapes, hyphens that can be copied, and no line that begins like a request. */
function text(plain: string): string {
  const escaped = plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/[^ -~]/gu, unicode);
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

/** roff's name of a character that is not in ASCII. */
function unicode(character: string): string {
  return `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

function quoted(plain: string): string {
  return `"${text(plain)}"`;
}
