/** Scripts by which shells complete the commands, options and fixed values of a program. */
import type { Command, Option } from 'commander';

export type Shell = 'bash' | 'zsh' | 'fish';

/** The words that may follow a command, by its path such as `meshctl cluster`. */
interface Place {
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly Option[];
}

export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program, program.name());
  return shell === 'fish' ? fish(program.name(), places) : bash(program.name(), places, shell);
}

function placesOf(command: Command, path: string): readonly Place[] {
  const commands = command.commands.map((one) => ({ name: one.name(), summary: one.summary() }));
  const place = { path, commands, options: command.createHelp().visibleOptions(command) };
  return [place, ...command.commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`))];
}

/** The values in an option's help, such as `<yaml|json>`. */
function valuesOf({ flags }: Option): readonly string[] {
  const [, values = ''] = /[<[]([^>\]]+)[>\]]/.exec(flags) ?? [];
  return values.includes('|') ? values.split('|') : [];
}

function namesOf({ long, short }: Option): readonly string[] {
  return [long, short].filter((name) => typeof name === 'string');
}

/** zsh runs it by its own emulation. */
function bash(name: string, places: readonly Place[], shell: 'bash' | 'zsh'): string {
  const words = places.map(
    ({ path, commands, options }) =>
      `    '${path}') words='${[...commands.map((one) => one.name), ...options.map(({ long }) => long)].join(' ')}' ;;`,
  );
  const values = places.flatMap(({ path, options }) =>
    options.flatMap((option) => {
      const found = valuesOf(option);
      return found.length === 0 || !(option.required || option.optional)
        ? []
        : [
            `    ${namesOf(option)
              .map((one) => `'${path} ${one}'`)
              .join('|')}) words='${found.join(' ')}' ;;`,
          ];
    }),
  );
  const files = places.flatMap(({ path, options }) =>
    options
      .filter(isFile)
      .flatMap(namesOf)
      .map((option) => `'${path} ${option}'`),
  );
  const groups = places.map(({ path }) => `'${path}'`).join('|');
  return `${shell === 'zsh' ? `#compdef ${name}\nautoload -Uz bashcompinit && bashcompinit\n` : ''}_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at='${name}' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${groups}) at="$at $word" ;;
    esac
  done
  case "$at" in
${words.join('\n')}
  esac
  case "$at $previous" in
${values.join('\n')}
  esac
  case "$at $previous" in
    ${files.join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _${name} ${name}
`;
}

function isFile({ flags }: Option): boolean {
  return flags.includes('<FILE>');
}

function fish(name: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options }) => {
    const [, ...words] = path.split(' ');
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const none =
      commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${commands.map((one) => one.name).join(' ')}`];
    const condition = (parts: readonly string[]): string => (parts.length === 0 ? '' : ` -n '${parts.join('; and ')}'`);
    return [
      ...commands.map(
        (one) => `complete -c ${name} -f${condition([...seen, ...none])} -a ${one.name} -d ${quoted(one.summary)}`,
      ),
      ...options.map(
        (option) => `complete -c ${name}${condition(seen)}${optionFlags(option)} -d ${quoted(option.description)}`,
      ),
    ];
  });
  return `${[...new Set(lines)].join('\n')}\n`;
}

function optionFlags(option: Option): string {
  const { long, short, required } = option;
  const values = valuesOf(option);
  return [
    typeof long === 'string' ? ` -l ${long.slice(2)}` : '',
    typeof short === 'string' ? ` -s ${short.slice(1)}` : '',
    required ? (isFile(option) ? ' -r -F' : ' -x') : ' -f',
    values.length === 0 ? '' : ` -a ${quoted(values.join(' '))}`,
  ].join('');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
