/** The output formats. */
import { Document, visit } from 'yaml';
import { KUBERNETES_YAML } from '../input/kubernetes-yaml.ts';
import { plainLines } from './plain.ts';

export type DataFormat = 'json' | 'yaml';

/** A table or other text for people, or the same as data. */
export type OutputFormat = 'table' | DataFormat;

/** Of a list: in addition a table with more columns, and the names alone. */
export type ListFormat = OutputFormat | 'wide' | 'name';

/** Whether a list is printed for people, who read a sentence if it is empty. */
export function isTable(as: ListFormat): boolean {
  return as === 'table' || as === 'wide';
}

/** One of many values: a line of JSON, or a document of YAML. */
export function streamed(value: unknown, as: DataFormat): string {
  return as === 'json' ? `${JSON.stringify(value)}\n` : `---\n${format(value, 'yaml')}`;
}

/** Text of one value, with a final newline. Strings that any YAML version could read as another type are quoted. */
export function format(value: unknown, as: DataFormat): string {
  return as === 'json' ? `${JSON.stringify(value, null, 2)}\n` : yaml(value);
}

function yaml(value: unknown): string {
  const document = new Document(value, {
    ...KUBERNETES_YAML,
    merge: false,
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  visit(document, {
    Scalar(_, node) {
      // Control characters in such a text are escaped on output, and YAML reads escapes only between double quotes.
      if (typeof node.value === 'string' && plainLines(node.value) !== node.value) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
