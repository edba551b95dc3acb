/** Everything that test support uses of core, in one place. */
export type { PolicyRef } from '@meshrelay/api';
export * from '../../src/mod.ts';
