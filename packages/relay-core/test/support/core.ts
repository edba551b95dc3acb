/** Everything that test support uses of core, in one place. */
export type * from '@meshrelay/plugin';
export * from '../../src/mod.ts';
