/** Checks the import rules (scripts/imports/rules.ts) and prints each import that violates one. */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { checkImports } from './imports/check.ts';
import { rules } from './imports/rules.ts';
import { readWorkspace } from './imports/source.ts';

const workspace = readWorkspace(fileURLToPath(new URL('..', import.meta.url)));
const broken = await checkImports(workspace, rules);
for (const line of broken) console.error(line);
if (broken.length > 0) process.exitCode = 1;
console.log(`import rules: ${workspace.files.size} files, ${broken.length} broken`);
