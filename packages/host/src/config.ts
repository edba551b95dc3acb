/** Configuration of a program: a YAML file, then the environment, then flags, each going before the one before. */
import { readFileSync } from 'node:fs';
import { nearest } from '@meshrelay/api';
import { parseDocument } from 'yaml';
import type { z } from 'zod';
import { ConfigError } from './config-error.ts';

export interface ConfigSources {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The fields that the environment and flags may set, such as `relay.serverAddress`. */
  readonly fields: readonly string[];
}

type Tree = { [name: string]: unknown };

/**
 * Reads `--config FILE`, then `MESHRELAY_RELAY_SERVERADDRESS` and its like, then `--relay.serverAddress VALUE` and its like.
 * @throws ConfigError naming every field that is wrong
 */
export function loadConfig<Config>(schema: z.ZodType<Config>, { argv, env, fields }: ConfigSources): Config {
  const flags = readFlags(argv, fields);
  const file = flags.get('config');
  const tree: Tree = file === undefined ? {} : readFile(file);
  for (const field of fields) {
    const variable = `MESHRELAY_${field.replaceAll('.', '_').toUpperCase()}`;
    const value = flags.get(field) ?? env[variable];
    if (value !== undefined) setField(tree, field.split('.'), scalar(value));
  }
  const parsed = schema.safeParse(tree);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'configuration'}: ${message}`);
  throw new ConfigError(`bad configuration${file === undefined ? '' : ` (${file})`}: ${problems.join('; ')}`);
}

function readFlags(argv: readonly string[], fields: readonly string[]): Map<string, string> {
  const known = ['config', ...fields];
  const flags = new Map<string, string>();
  for (let position = 0; position < argv.length; position += 1) {
    const argument = argv[position] ?? '';
    const [, name = '', inline] = /^--([A-Za-z][\w.]*)(?:=(.*))?$/s.exec(argument) ?? [];
    if (!known.includes(name)) {
      const meant = nearest(name, known);
      throw new ConfigError(
        `unknown argument ${argument}${meant === undefined ? `; known are ${known.map((one) => `--${one}`).join(', ')}` : `; did you mean --${meant}?`}`,
      );
    }
    const value = inline ?? argv[++position];
    if (value === undefined) throw new ConfigError(`--${name} needs a value`);
    flags.set(name, value);
  }
  return flags;
}

function readFile(path: string): Tree {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError(`--config ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) throw new ConfigError(`--config ${path}: ${problem.message}`);
  const value: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new ConfigError(`--config ${path}: expected a mapping of fields`);
  return value as Tree;
}

function setField(tree: Tree, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const inner = tree[name];
  const next: Tree = typeof inner === 'object' && inner !== null ? (inner as Tree) : {};
  tree[name] = next;
  setField(next, rest, value);
}

/** Numbers and booleans as such, everything else as text; lists are separated by commas in no case: give them in the file. */
function scalar(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
