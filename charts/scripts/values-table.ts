/** The table of values in a chart's README: from values.yaml and its comments. */
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

const BEGIN = '<!-- values: generated from values.yaml -->';
const END = '<!-- end of values -->';

/** @throws Error for a README without the marks, or a value without a comment */
export function withValuesTable(readme: string, values: string): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`expected ${BEGIN} and ${END} in README.md`);
  const rows = rowsOf(parseDocument(values).contents as YAMLMap, []);
  const table = ['| value | default | meaning |', '|---|---|---|', ...rows].join('\n');
  return `${readme.slice(0, begin)}${BEGIN}\n\n${table}\n\n${readme.slice(end)}`;
}

/** A row for each value with a comment. An object without one is shown by its members. */
function rowsOf(map: YAMLMap, path: readonly string[]): readonly string[] {
  return map.items.flatMap((pair, index) => {
    const name = [...path, String((pair.key as { readonly value: unknown }).value)];
    // The parser gives the comment before the first member to the map.
    const comment = commentOf(pair) ?? (index === 0 ? (map.commentBefore ?? undefined) : undefined);
    if (comment !== undefined) return [row(name, pair.value, comment)];
    if (isMap(pair.value) && pair.value.items.length > 0) return rowsOf(pair.value, name);
    throw new Error(`values.yaml: ${name.join('.')} has no comment; say what it is for`);
  });
}

function row(name: readonly string[], value: unknown, comment: string): string {
  const lines = comment.split('\n').map((line) => line.trim());
  return `| \`${name.join('.')}\` | \`${shown(value)}\` | ${lines.join(' ').replaceAll('|', '\\|')} |`;
}

function commentOf({ key }: Pair): string | undefined {
  return (key as { readonly commentBefore?: string | null }).commentBefore ?? undefined;
}

function shown(value: unknown): string {
  if (isScalar(value)) return JSON.stringify(value.value);
  return JSON.stringify((value as { toJSON(): unknown }).toJSON());
}
