/** The output formats. */
import { Document, visit } from 'yaml';
import { KUBERNETES_YAML } from '../input/kubernetes-yaml.ts';
import { plainLines } from './plain.ts';

export type DataFormat = 'json' | 'yaml';

/** Text for people, or the same as data. */
export type OutputFormat = 'text' | DataFormat;

/** One of many values: a line of JSON, or a document of YAML. */
export function streamed(value: unknown, as: DataFormat): string {
  return as === 'json' ? `${JSON.stringify(value)}\n` : `---\n${format(value, 'yaml')}`;
}

/** Text of one value, ending in a line end. Strings that YAML could take for something else, by whichever version of it, are quoted. */
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
      // On its way out such a text is escaped, and only between double quotes an escape means what it stands for.
      if (typeof node.value === 'string' && plainLines(node.value) !== node.value) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
