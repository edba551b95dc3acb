/** Implements `meshctl plugin new`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { VERSION } from '@meshrelay/api';
import { CreationError, createMeshPlugin, nextSteps } from '@meshrelay/create-mesh-plugin';
import { InputError } from '../problem.ts';

/** Next to the bundles of a build; in a checkout, in its package. */
const PLACES = ['packages/create-mesh-plugin/template', '../../../create-mesh-plugin/template'].map((path) =>
  join(import.meta.dirname, path),
);

/** @throws InputError if the name or the folder cannot be used */
export function newPlugin(name: string, folder: string): void {
  const template = PLACES.find((place) => existsSync(place));
  if (template === undefined) throw new Error(`meshctl has no template: expected it in ${PLACES.join(' or ')}`);
  try {
    process.stdout.write(nextSteps(folder, createMeshPlugin({ name, folder, template, version: VERSION })));
  } catch (error) {
    throw error instanceof CreationError ? new InputError(error.message, { cause: error }) : error;
  }
}
