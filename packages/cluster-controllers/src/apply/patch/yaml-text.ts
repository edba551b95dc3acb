/**
 * Reads, sets and removes fields of user-written YAML in the text itself, so comments, order and layout stay unchanged.
 * Every change is parsed again and compared with the intended value. If the text is too unusual to edit in place, the
 * library writes the document again.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '@meshrelay/api';
import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { PatchTypeMismatchError } from './patch-type-mismatch-error.ts';
import { memberOf, valueAt, withValueAt } from './plain-fields.ts';

const MAX_ALIASES = 100;

/** Value at the path, or undefined. @throws PatchTypeMismatchError if the text is not YAML */
export function yamlValue(text: string, names: readonly string[]): JsonValue | undefined {
  return valueAt(parsed(text).toJS({ maxAliasCount: MAX_ALIASES }) as JsonValue, names);
}

/**
 * Returns the text with that value, or without the field. @throws PatchTypeMismatchError if the value does not fit
 * there
 */
export function withYamlValue(text: string, names: readonly string[], value: JsonValue | undefined): string {
  const last = names.at(-1);
  if (last !== undefined && memberOf(last) !== undefined) {
    const list = names.slice(0, -1);
    return withYamlValue(text, list, withValueAt(yamlValue(text, list), [last], value));
  }
  const document = parsed(text);
  const meant = withValueAt(document.toJS({ maxAliasCount: MAX_ALIASES }) as JsonValue, names, value);
  for (const edited of [editedText(text, document, names, value), rewritten(document, names, value)]) {
    if (edited === undefined) continue;
    const again = parseDocument(edited);
    if (again.errors.length === 0 && isDeepStrictEqual(again.toJS({ maxAliasCount: MAX_ALIASES }) ?? {}, meant ?? {}))
      return edited;
  }
  throw new PatchTypeMismatchError(`${names.join('/')} cannot be changed in this YAML`);
}

function parsed(text: string): Document.Parsed {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined)
    throw new PatchTypeMismatchError(`its text is not YAML: ${problem.message.split('\n')[0]}`);
  return document as Document.Parsed;
}

function rewritten(document: Document, names: readonly string[], value: JsonValue | undefined): string {
  if (value === undefined) document.deleteIn(names);
  else document.setIn(names, quoted(document.createNode(value)));
  return document.toString({ lineWidth: 0 });
}

/** Control planes read an older YAML version, in which many more unquoted texts are not strings. */
function quoted(node: Node): Node {
  visit(node, {
    Scalar(_position, scalar) {
      if (typeof scalar.value === 'string') scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return node;
}

/** The text edited in place; undefined if its layout is unusual. */
function editedText(
  text: string,
  document: Document,
  names: readonly string[],
  value: JsonValue | undefined,
): string | undefined {
  const name = names.at(-1);
  const map = names.length === 1 ? document.contents : document.getIn(names.slice(0, -1), true);
  if (name === undefined || !isMap(map) || map.flow === true) return undefined;
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === name);
  if (pair === undefined) return value === undefined ? text : withLine(text, map, `${name}: ${flowText(value)}`);
  if (value === undefined) return withoutLines(text, startOf(pair.key), endOf(pair));
  if (isSeq(pair.value) && Array.isArray(value)) {
    const members = withMembers(text, document, pair.value, value);
    if (members !== undefined) return members;
  }
  const range = rangeOf(pair.value);
  return range === undefined ? undefined : text.slice(0, range[0]) + flowText(value) + text.slice(range[1]);
}

/** A list with members removed or appended; undefined for any other change. */
function withMembers(
  text: string,
  document: Document,
  list: YAMLSeq,
  output: readonly JsonValue[],
): string | undefined {
  const members = list.items.map((item) =>
    isNode(item) ? item.toJS(document, { maxAliasCount: MAX_ALIASES }) : undefined,
  );
  const matchesDesired = (member: unknown): boolean => output.some((one) => isDeepStrictEqual(one, member));
  const retained = members.filter(matchesDesired);
  const more = output.slice(retained.length);
  if (!isDeepStrictEqual([...retained, ...more], output) || retained.length === 0) return undefined;
  let edited = text;
  if (more.length > 0) {
    const last = rangeOf(list.items.at(-1));
    if (last === undefined) return undefined;
    if (list.flow === true) edited = insert(edited, last[1], more.map((one) => `, ${flowText(one)}`).join(''));
    else {
      const dash = text.slice(lineStart(text, last[0]), last[0]);
      if (!/^ *- *$/.test(dash)) return undefined;
      edited = insertLines(
        edited,
        last[1],
        more.map((one) => `${dash}${flowText(one)}`),
      );
    }
  }
  // From last to first, so earlier positions stay correct.
  for (const [position, member] of [...members.entries()].reverse()) {
    if (matchesDesired(member)) continue;
    const range = rangeOf(list.items[position]);
    if (range === undefined) return undefined;
    if (list.flow === true) {
      const before = rangeOf(list.items[position - 1])?.[1];
      const after = rangeOf(list.items[position + 1])?.[0];
      edited = before === undefined ? cut(edited, range[0], after ?? range[1]) : cut(edited, before, range[1]);
    } else {
      const without = withoutLines(edited, range[0], range[1], /^ *- *$/);
      if (without === undefined) return undefined;
      edited = without;
    }
  }
  return edited;
}

/** JSON on one line is also YAML. */
function flowText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${flowText(each)}`)
    .join(', ')}}`;
}

/** Appends a line to a map, with the indentation of its other lines. */
function withLine(text: string, map: YAMLMap, line: string): string | undefined {
  const [first] = map.items;
  const last = map.items.at(-1);
  const start = startOf(first?.key);
  const end = last === undefined ? undefined : endOf(last);
  if (start === undefined || end === undefined) return undefined;
  const indent = text.slice(lineStart(text, start), start);
  return /^ *$/.test(indent) ? insertLines(text, end, [indent + line]) : undefined;
}

/** Inserts lines after the line that contains the position `end`. */
function insertLines(text: string, end: number, lines: readonly string[]): string {
  const added = lines.join('\n');
  if (end > 0 && text[end - 1] === '\n') return insert(text, end, `${added}\n`);
  const newline = text.indexOf('\n', end);
  return newline < 0 ? `${text}\n${added}` : insert(text, newline + 1, `${added}\n`);
}

/** Removes the whole lines from `start` to `end`, if only `lead` precedes them. */
function withoutLines(
  text: string,
  start: number | undefined,
  end: number | undefined,
  lead = /^ *$/,
): string | undefined {
  if (start === undefined || end === undefined) return undefined;
  const first = lineStart(text, start);
  if (!lead.test(text.slice(first, start))) return undefined;
  const newline = text[end - 1] === '\n' ? end - 1 : text.indexOf('\n', end);
  return newline < 0 ? text.slice(0, Math.max(0, first - 1)) : cut(text, first, newline + 1);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function insert(text: string, at: number, more: string): string {
  return text.slice(0, at) + more + text.slice(at);
}

function cut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}

type Range = readonly [number, number, ...unknown[]];

/** Start and end of a node in the text. */
function rangeOf(node: unknown): Range | undefined {
  return (node as { readonly range?: Range | null } | undefined)?.range ?? undefined;
}

function startOf(node: unknown): number | undefined {
  return rangeOf(node)?.[0];
}

function endOf(pair: Pair): number | undefined {
  return isPair(pair) ? (rangeOf(pair.value)?.[1] ?? rangeOf(pair.key)?.[1]) : undefined;
}
