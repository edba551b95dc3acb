/** Checks that the targets of links in documents exist, and prints each dead link. */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findDeadLinks, readDocuments } from './docs/links.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = readDocuments(root);
const dead = findDeadLinks(root, documents);
for (const line of dead) console.error(line);
if (dead.length > 0) process.exitCode = 1;
console.log(`documents: ${documents.size} files, ${dead.length} dead links`);
