/** The output formats. */
import { stringify } from 'yaml';

export type DataFormat = 'json' | 'yaml';

/** Text of one value, ending in a line end. Strings that YAML could take for something else are quoted. */
export function format(value: unknown, as: DataFormat): string {
  return as === 'json'
    ? `${JSON.stringify(value, null, 2)}\n`
    : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
