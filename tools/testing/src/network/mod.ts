/** Networks of tests: one for a file, and pods in it with addresses of their own. */
export { HOST, inOwnNetwork } from './own-network.ts';
export { Pod, type PodOptions } from './pod.ts';
