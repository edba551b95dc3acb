/** Real programs for tests. */

export { onPath } from '../on-path.ts';
export { type Child, type ChildOptions, startChild } from './child.ts';
export { endWithUs } from './end-with-us.ts';
export { freePort } from './free-port.ts';
