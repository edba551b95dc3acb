/** The folder of the test files that fail on purpose. */
import { fileURLToPath } from 'node:url';

/** Absolute path of the folder. */
export const fixtures: string = fileURLToPath(new URL('fixtures', import.meta.url));
