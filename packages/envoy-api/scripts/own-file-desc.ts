/** Makes generated files call this package's `fileDesc`, see src/messages/file-desc.ts. */
import { posix } from 'node:path';

/** Part of what the generated files are made of. */
export const FILE_DESC = 'messages/file-desc.ts';

const IMPORT = /^import \{ (.*\bfileDesc\b.*) \} from "@bufbuild\/protobuf\/codegenv2";$/m;

/** The same files, by path below `src/gen`. @throws Error if a generated file imports `fileDesc` in an unknown way */
export function withOwnFileDesc(files: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...files].map(([path, text]) => [path, replaced(path, text)]));
}

function replaced(path: string, text: string): string {
  if (!text.includes('fileDesc(')) return text;
  const own = posix.relative(posix.dirname(path), `../${FILE_DESC}`);
  const [line = '', names = ''] = IMPORT.exec(text) ?? [];
  if (line === '') throw new Error(`${path}: expected an import of fileDesc from @bufbuild/protobuf/codegenv2`);
  const others = names.split(', ').filter((name) => name !== 'fileDesc');
  return text.replace(
    line,
    `import { ${others.join(', ')} } from "@bufbuild/protobuf/codegenv2";\nimport { fileDesc } from "${own}";`,
  );
}
