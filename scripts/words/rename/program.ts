/** One TypeScript program over all sources of the repository. */
import { join } from 'node:path';
import ts from 'typescript-6';

export interface Sources {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** Editable files, by path from the root. */
  readonly files: ReadonlyMap<string, ts.SourceFile>;
}

/** @param paths from the root; @param isGenerated files that are read and not edited */
export function loadSources(root: string, paths: readonly string[], isGenerated: (path: string) => boolean): Sources {
  const program = ts.createProgram({
    rootNames: paths.map((path) => join(root, path)),
    options: {
      target: ts.ScriptTarget.ESNext,
      lib: ['lib.esnext.d.ts'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      allowJs: true,
      checkJs: true,
      noEmit: true,
      skipLibCheck: true,
      typeRoots: [join(root, 'node_modules/@types')],
    },
  });
  const files = new Map<string, ts.SourceFile>();
  for (const path of paths) {
    if (isGenerated(path)) continue;
    const source = program.getSourceFile(join(root, path));
    if (!source) throw new Error(`${path}: the program has no such source`);
    files.set(path, source);
  }
  return { program, checker: program.getTypeChecker(), files };
}
