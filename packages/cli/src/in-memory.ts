/** The offline commands without files and processes, for pages in a browser: objects from text, and results as text. */

export { explainText } from './explain/explain-text.ts';
export { type GivenFile, objectsIn } from './input/objects.ts';
export { laterInputs, withApplied } from './offline/later-inputs.ts';
export { discoveredText } from './output/discovered-text.ts';
export { policyLine } from './output/policy-line.ts';
export { planText } from './plan/plan-text.ts';
export { InputError } from './problem.ts';
