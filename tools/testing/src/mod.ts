/** The one import of every test file, so that a change of test library is a change of this file. */
export * as assert from 'uvu/assert';
export { type CrdValidator, crdValidator, crdValidatorOf, type Judged, type JudgingCrd } from './crd-validator.ts';
export { eventually } from './eventually.ts';
export { osmCrds } from './osm-crds.ts';
export { sharedPath } from './shared.ts';
export { temporaryFolder } from './temporary-folder.ts';
export { suite, test } from './test.ts';
