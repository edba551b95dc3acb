/**
 * `node publish-main.ts FOLDER [--OPTION...]`: publishes the npm packages of a release, with options of `npm publish`.
 * It uses nothing but Node, because the workflow runs it without an install.
 */
import { resolve } from 'node:path';
import process from 'node:process';
import { publishPackages } from './publish.ts';

const [folder, ...options] = process.argv.slice(2);
if (folder === undefined || options.some((option) => !option.startsWith('--')))
  throw new Error('usage: node publish-main.ts FOLDER [--OPTION...]');
await publishPackages({
  folder: resolve(folder),
  cwd: process.cwd(),
  options,
  print: (line) => process.stdout.write(`${line}\n`),
});
