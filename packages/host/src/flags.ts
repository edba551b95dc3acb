/** Command lines of the programs: `--config FILE` and one flag for each configurable field. */
import { nearest } from '@meshrelay/api';
import { ConfigError } from './config-error.ts';

/** The values as text, by field. The last of several counts. @throws ConfigError naming unknown flags */
export function readFlags(argv: readonly string[], fields: readonly string[]): ReadonlyMap<string, string> {
  const known = ['config', ...fields];
  const flags = new Map<string, string>();
  for (let position = 0; position < argv.length; position += 1) {
    const argument = argv[position] ?? '';
    const [, name = '', inline] = /^--([A-Za-z][\w.]*)(?:=(.*))?$/s.exec(argument) ?? [];
    if (!known.includes(name)) throw unknown(argument, name, known);
    const value = inline ?? argv[++position];
    // A flag in place of a value means that the value is missing.
    if (value === undefined || (inline === undefined && value.startsWith('--')))
      throw new ConfigError(`--${name} needs a value: --${name} VALUE or --${name}=VALUE`);
    flags.set(name, value);
  }
  return flags;
}

function unknown(argument: string, name: string, known: readonly string[]): ConfigError {
  // The text after the equals sign may be a secret.
  const [shown = ''] = argument.split('=', 1);
  const meant = nearest(name, known);
  const help =
    meant === undefined ? `known are ${known.map((one) => `--${one}`).join(', ')}` : `did you mean --${meant}?`;
  return new ConfigError(`unknown argument ${shown}; ${help}`);
}

/** Usage text of a program, after its name. */
export function usage(fields: readonly string[]): string {
  return `[--config FILE] [--FIELD VALUE ...] | --help | --version

FILE is YAML. These fields may also be given as flags, or in the environment (MESHRELAY_LOG_LEVEL for log.level):
${fields.map((field) => `  --${field}`).join('\n')}
`;
}
