/** Real programs for tests. */

export { onPath } from '../on-path.ts';
export { type Child, type ChildOptions, startChild } from './child.ts';
export { freePort } from './free-port.ts';
