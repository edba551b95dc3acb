/** Runs `meshctl create` in this process. */
import { addCreate } from '../../src/commands/create.ts';
import { meshctlWith } from './run-commands.ts';
import type { Result } from './run-here.ts';

const meshctl = meshctlWith(addCreate);

export function createHere(args: readonly string[], cwd: string): Promise<Result> {
  return meshctl(['create', ...args], cwd, { KUBECONFIG: '' });
}
