/** Configuration of a program: a YAML file, then the environment, then flags; later sources override earlier ones. */
import type * as z from 'zod';
import { ConfigError, HelpRequested } from './config-error.ts';
import { readConfigFile, type Tree } from './config-file.ts';
import { readFlags, usage } from './flags.ts';

export interface ConfigSources {
  /** The arguments after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The fields that the environment and flags may set, such as `relay.serverAddress`. */
  readonly fields: readonly string[];
}

/** A field's value as text, and its source. */
interface ConfigValue {
  readonly text: string;
  /** `--relay.listen` or `MESHRELAY_RELAY_LISTEN`. */
  readonly by: string;
}

type Issue = z.core.$ZodIssue;

/**
 * Reads `--config FILE`, then variables such as `MESHRELAY_RELAY_SERVERADDRESS`, then flags such as
 * `--relay.serverAddress VALUE`. An empty variable counts as unset.
 * @throws ConfigError naming every invalid field and the source of its value; HelpRequested for `--help`
 */
export function loadConfig<Config>(schema: z.ZodType<Config>, { argv, env, fields }: ConfigSources): Config {
  if (argv.includes('--help') || argv.includes('-h')) throw new HelpRequested(usage(fields));
  const flags = readFlags(argv, fields);
  const file = flags.get('config');
  const tree: Tree = file === undefined ? {} : readConfigFile(file);
  const given = new Map<string, ConfigValue>();
  for (const field of fields) {
    const value = givenValue(field, flags, env);
    if (value === undefined) continue;
    given.set(field, value);
    setField(tree, field.split('.'), value.text);
  }
  const parsed = parse(schema, tree, given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${nameOf(issue)}: ${issue.message}${sourceOf(issue, given, file)}`,
  );
  throw new ConfigError(`bad configuration: ${problems.join('; ')}`);
}

/** The environment variable of a field. */
export function variableOf(field: string): string {
  return `MESHRELAY_${field.replaceAll('.', '_').toUpperCase()}`;
}

function givenValue(
  field: string,
  flags: ReadonlyMap<string, string>,
  env: ConfigSources['env'],
): ConfigValue | undefined {
  const flag = flags.get(field);
  if (flag !== undefined) return { text: flag, by: `--${field}` };
  const text = env[variableOf(field)];
  return text === undefined || text === '' ? undefined : { text, by: variableOf(field) };
}

/** Flags and variables are text. They are parsed as a number or a boolean only if the schema expects one. */
function parse<Config>(
  schema: z.ZodType<Config>,
  tree: Tree,
  given: ReadonlyMap<string, ConfigValue>,
): z.ZodSafeParseResult<Config> {
  const parsed = schema.safeParse(tree);
  if (parsed.success) return parsed;
  let retry = false;
  for (const issue of parsed.error.issues) {
    const value = given.get(nameOf(issue));
    const other = value === undefined ? undefined : converted(value.text, issue);
    if (other === undefined) continue;
    setField(tree, nameOf(issue).split('.'), other);
    retry = true;
  }
  return retry ? schema.safeParse(tree) : parsed;
}

function converted(text: string, issue: Issue): number | boolean | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  const requiresNumber = issue.expected === 'number' || issue.expected === 'int';
  return requiresNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}

function nameOf({ path }: Issue): string {
  return path.join('.') || 'configuration';
}

function sourceOf(issue: Issue, given: ReadonlyMap<string, ConfigValue>, file: string | undefined): string {
  const by = given.get(nameOf(issue))?.by;
  if (by !== undefined) return ` (${by})`;
  return file === undefined ? '' : ` (${file})`;
}

function setField(tree: Tree, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const inner = tree[name];
  const next: Tree = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Tree) : {};
  tree[name] = next;
  setField(next, rest, value);
}
