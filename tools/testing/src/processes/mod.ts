/** Real programs beside the tests. */
export { type Child, type ChildOptions, startChild } from './child.ts';
export { freePort } from './free-port.ts';
