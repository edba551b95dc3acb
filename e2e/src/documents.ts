/** Objects of YAML files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CustomResource } from '@meshrelay/testing/custom-resources';
import { parseAllDocuments } from 'yaml';

/** The documents of a YAML file, without the empty ones. */
export function documentsOf(path: string): CustomResource[] {
  return parseAllDocuments(quoteAddresses(readFileSync(path, 'utf8'))).flatMap((document) => {
    const value = document.toJS() as CustomResource | null;
    return value === null ? [] : [value];
  });
}

/**
 * YAML libraries disagree on whether an item such as `001:db8::` at the end of a `[list]` is text; quotes make it text.
 */
function quoteAddresses(text: string): string {
  return text.replaceAll(/(?<=[[ ])([0-9a-f:]+::)(?=\])/g, "'$1'");
}

/** The YAML files of a folder with matching names, as paths, sorted. */
export function yamlFiles(folder: string, fits: (name: string) => boolean = () => true): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && fits(name))
    .sort()
    .map((name) => join(folder, name));
}
