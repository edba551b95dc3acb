/** docs/tasks/fleet, which tests use for the examples of the documentation. */
import { join } from 'node:path';

export const DOCS: string = join(import.meta.dirname, '../../../../docs');
const FLEET = join(DOCS, 'tasks/fleet');

/** Values of `--cluster`. */
export const CLUSTERS: readonly string[] = [1, 2, 3].map((n) => `cluster-${n}=${join(FLEET, `cluster-${n}.yaml`)}`);
/** The objects of the management cluster. */
export const MANAGEMENT: string = join(FLEET, 'management.yaml');
