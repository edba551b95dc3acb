#!/usr/bin/env node
/** `npm create @meshrelay/mesh-plugin NAME [FOLDER]`. */
import process from 'node:process';
import { CreationError, createMeshPlugin } from './create-mesh-plugin.ts';
import { nextSteps } from './next-steps.ts';

const USAGE = 'usage: npm create @meshrelay/mesh-plugin NAME [FOLDER]\n';

function main(args: readonly string[]): void {
  const [name, folder = name, ...more] = args;
  if (name === '--help' || name === '-h') {
    process.stdout.write(USAGE);
    return;
  }
  if (name === undefined || folder === undefined || more.length > 0) {
    process.stderr.write(USAGE);
    process.exitCode = 1;
    return;
  }
  try {
    const files = createMeshPlugin({ name, folder });
    process.stdout.write(nextSteps(folder, files));
  } catch (error) {
    if (!(error instanceof CreationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

main(process.argv.slice(2));
