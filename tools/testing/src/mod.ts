/** The only import of every test file: another test library changes this file only. */
export * as assert from 'uvu/assert';
export { eventually } from './eventually.ts';
export { ManualClock, settle } from './manual-clock.ts';
export { meshCrdFiles } from './mesh-crd-files.ts';
export { realApiServer } from './real-api-server.ts';
export { scaledInDeno, scaledRuns, scaledSample } from './scale.ts';
export { sharedPath } from './shared.ts';
export { temporaryFolder } from './temporary-folder.ts';
export { suite, test } from './test.ts';
