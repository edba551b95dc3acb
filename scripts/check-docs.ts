/** Checks that what the documents link to is there, and prints each link that leads nowhere. */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findDeadLinks, readDocuments } from './docs/links.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = readDocuments(root);
const dead = findDeadLinks(root, documents);
for (const line of dead) console.error(line);
if (dead.length > 0) process.exitCode = 1;
console.log(`documents: ${documents.size} files, ${dead.length} dead links`);
