/** The configuration file of a program: one YAML mapping. */
import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { ConfigError } from './config-error.ts';

/** Fields by name, nested. */
export type Tree = { [name: string]: unknown };

/** Maximum size of a configuration file in bytes. */
const MAX_BYTES = 1024 * 1024;

/** @throws ConfigError naming the file, and the line and column of the fault */
export function readConfigFile(path: string): Tree {
  const fault = (what: string, cause?: unknown): ConfigError =>
    new ConfigError(`--config ${path}: ${what}`, cause === undefined ? {} : { cause });
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw fault(cause instanceof Error ? cause.message : String(cause), cause);
  }
  if (text.length > MAX_BYTES) throw fault('larger than 1 MiB, the limit for configuration files');
  const document = parseDocument(text, { prettyErrors: true });
  const [problem] = document.errors;
  if (problem !== undefined) throw fault(problem.message.trimEnd());
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (cause) {
    throw fault(cause instanceof Error ? cause.message : String(cause), cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fault('expected a mapping of fields, such as "namespace: meshrelay"');
  return value as Tree;
}
