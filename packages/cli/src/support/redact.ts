/** What may leave a cluster: everything is hidden unless it is known to be no secret. */
import type { KubeObject } from '@meshrelay/api';
import { isSecretName, redactText, redactWhole } from '@meshrelay/telemetry';
import { parse } from 'yaml';

const HIDDEN = '[redacted]';

/** Fields of configurations whose text is an address, a name or a mode. The values of all others are hidden. */
const PUBLIC_SETTINGS: ReadonlySet<string> = new Set([
  ...['addresses', 'authority', 'cluster', 'config', 'format', 'level', 'listen', 'mode', 'name', 'namespace'],
  ...['package', 'prefix', 'replica', 'selector', 'serverAddress', 'serverAddresses', 'serverNames', 'singleCluster'],
  ...['trustDomain', 'type', 'version'],
]);

/** Annotations that Meshrelay, Helm and the Deployment controller write. */
const PUBLIC_ANNOTATIONS =
  /^(([a-z0-9-]+\.)*meshrelay\.dev\/|meta\.helm\.sh\/|helm\.sh\/|deployment\.kubernetes\.io\/revision$)/;

/** Fields of Meshrelay's objects in which users may write anything. */
const FREE_FIELDS: ReadonlySet<string> = new Set([
  ...['appendRequestHeaders', 'appendResponseHeaders', 'headers', 'config', 'settings', 'envoyFilter'],
  ...['previousValue', 'appliedValues'],
]);

/** Credentials with a format of their own, in addition to those that are removed from logs. */
const CREDENTIALS =
  /\b(gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|(AKIA|ASIA)[0-9A-Z]{16}|sk-[\w-]{20,})/g;
const PRIVATE_KEYS = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g;
/** What is before a value: `name=`, `name: ` and `"name":`. */
const NAMES = /([\w.-]+)["']?\s*[=:]\s*/g;
/** A value, quoted or up to what ends one. */
const VALUE = /"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,;&}\]]+/y;
/** Headers whose value may contain spaces. */
const WHOLE_LINE = /\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*[=:]\s*).*/gi;

/** A text without credentials, such as a message or lines of a log. */
export function redactLines(text: string): string {
  return text.replaceAll(PRIVATE_KEYS, HIDDEN).split('\n').map(redactLine).join('\n');
}

function redactLine(line: string): string {
  const fields = jsonOf(line);
  if (fields !== undefined) return JSON.stringify(redactTexts(redactWhole(fields)));
  return withoutCredentials(line);
}

/** The fields of a line of JSON. */
function jsonOf(line: string): object | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as object;
  } catch {
    // A program was cut off, or the line only looks like JSON.
    return undefined;
  }
}

function withoutCredentials(line: string): string {
  const known = line
    .match(/[\s\S]{1,4000}/g)
    ?.map(redactText)
    .join('');
  return withoutNamed((known ?? '').replaceAll(WHOLE_LINE, `$1$2${HIDDEN}`)).replaceAll(CREDENTIALS, HIDDEN);
}

/** Without the values of names that are those of secrets. */
function withoutNamed(line: string): string {
  let clean = '';
  let end = 0;
  for (const { index, 0: before, 1: name = '' } of line.matchAll(NAMES)) {
    const start = index + before.length;
    if (start < end || !isSecretName(lastPart(name))) continue;
    VALUE.lastIndex = start;
    const value = VALUE.exec(line)?.[0];
    if (value === undefined) continue;
    clean += `${line.slice(end, start)}${HIDDEN}`;
    end = start + value.length;
  }
  return clean + line.slice(end);
}

/** `password` of `redis.password`. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Any value with its texts redacted, and the values of fields with the name of a secret hidden. */
export function redactData(value: unknown): unknown {
  return redactTexts(redactWhole(value));
}

function redactTexts(value: unknown): unknown {
  return mapTexts(value, redactLines);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mapTexts(field, change)]));
}

/** An object of Meshrelay: without free text. */
export function redactMeshrelay({ metadata, ...object }: KubeObject): unknown {
  return { ...(redactData(withoutFree(object)) as object), metadata: redactMetadata(metadata) };
}

function withoutFree(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFree);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, FREE_FIELDS.has(name) ? HIDDEN : withoutFree(field)]),
  );
}

/** Without what any program may have written: values of annotations, and the record of writes. */
export function redactMetadata({ annotations = {}, managedFields: _, ...metadata }: KubeObject['metadata']): object {
  const shown = Object.entries(annotations).map(([name, value]) => [
    name,
    PUBLIC_ANNOTATIONS.test(name) ? redactLines(value) : HIDDEN,
  ]);
  return { ...metadata, ...(shown.length === 0 ? {} : { annotations: Object.fromEntries(shown) }) };
}

/** The keys of a Secret or ConfigMap, each with the size of its value. */
export function sizesOf(data: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, `[${value.length} characters]`]));
}

/** The configuration of a program: names, numbers and modes only. */
export function redactSettings(text: string): unknown {
  try {
    return publicSettings(parse(text), '');
  } catch {
    return 'not YAML';
  }
}

function publicSettings(value: unknown, field: string): unknown {
  if (typeof value === 'string') return PUBLIC_SETTINGS.has(field) ? withoutCredentials(value) : HIDDEN;
  if (Array.isArray(value)) return value.map((item) => publicSettings(item, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === 'settings' ? HIDDEN : publicSettings(item, name)]),
  );
}

/** Arguments of a container: flags, paths, and the values of flags that are not secret. */
export function redactArguments(args: readonly string[] = []): readonly string[] {
  return args.map((word, index) => {
    const [, flag, value] = /^(--?[\w.-]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (flag !== undefined)
      return value === undefined || isPublicFlag(flag) ? withoutCredentials(word) : `${flag}=${HIDDEN}`;
    const before = args[index - 1] ?? '';
    return word.startsWith('/') || (before.startsWith('-') && isPublicFlag(before)) ? withoutCredentials(word) : HIDDEN;
  });
}

function isPublicFlag(flag: string): boolean {
  return PUBLIC_SETTINGS.has(lastPart(flag.replace(/^-+/, '')));
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: unknown;
}

/** Variables of a container: names, references, and values for settings that are not secret. */
export function redactVariable({ name, value, valueFrom }: Variable): object {
  const field = name.slice(name.lastIndexOf('_') + 1).toLowerCase();
  const isPublic = name.startsWith('MESHRELAY_') && PUBLIC_SETTINGS.has(field);
  return {
    name,
    ...(value === undefined ? {} : { value: isPublic ? withoutCredentials(value) : HIDDEN }),
    ...(valueFrom === undefined ? {} : { valueFrom }),
  };
}
