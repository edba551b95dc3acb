/** Descriptors of proto files at less cost than protobuf's own function, which generated files would call. */
import type { DescFile } from '@bufbuild/protobuf';
import { type GenFile, fileDesc as originalFileDesc } from '@bufbuild/protobuf/codegenv2';

/**
 * protobuf's own function adds the types of every file behind the imports of a file, once for each way that leads
 * there. Envoy's files import each other along many paths, and this took most of the start time of a program.
 * A file refers only to types of the files that it imports, as none of them is imported publicly.
 */
export function fileDesc(text: string, imports: readonly DescFile[] = []): GenFile {
  const withoutImports = imports.map((file) => ({ ...file, dependencies: [] }));
  const file = originalFileDesc(text, withoutImports);
  return Object.assign(file, { dependencies: imports });
}
