/** `npm run site`: builds the documentation as a web site, or serves it and follows edits. */
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, createServer } from 'vitepress';

const USAGE = `usage: npm run site [-- --out FOLDER | --serve]
  --out FOLDER  where the built site goes (default: dist/site)
  --serve       serve it on localhost, and follow edits
`;
const root = fileURLToPath(new URL('.', import.meta.url));

function argumentsOf(): { readonly out?: string; readonly serve?: boolean } | undefined {
  try {
    return parseArgs({ options: { out: { type: 'string' }, serve: { type: 'boolean' } } }).values;
  } catch (error) {
    process.stderr.write(`site: ${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exitCode = 1;
    return undefined;
  }
}

const chosen = argumentsOf();
if (chosen?.serve === true) {
  const server = await createServer(root);
  await server.listen();
  server.printUrls();
} else if (chosen !== undefined) {
  await build(root, chosen.out === undefined ? {} : { outDir: resolve(chosen.out) });
}
