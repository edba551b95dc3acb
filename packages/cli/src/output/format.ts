/** The output formats. */
import { stringify } from 'yaml';
import { KUBERNETES_YAML } from '../input/kubernetes-yaml.ts';

export type DataFormat = 'json' | 'yaml';

/** Text for people, or the same as data. */
export type OutputFormat = 'text' | DataFormat;

/** One of many values: a line of JSON, or a document of YAML. */
export function streamed(value: unknown, as: DataFormat): string {
  return as === 'json' ? `${JSON.stringify(value)}\n` : `---\n${format(value, 'yaml')}`;
}

/** Text of one value, ending in a line end. Strings that YAML could take for something else, by whichever version of it, are quoted. */
export function format(value: unknown, as: DataFormat): string {
  return as === 'json'
    ? `${JSON.stringify(value, null, 2)}\n`
    : stringify(value, {
        ...KUBERNETES_YAML,
        merge: false,
        compat: 'yaml-1.1',
        lineWidth: 0,
        aliasDuplicateObjects: false,
      });
}
