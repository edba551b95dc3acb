/** Networks of tests: one per test file, with pods that have their own addresses. */
export { HOST, inOwnNetwork } from './own-network.ts';
export { Pod, type PodOptions } from './pod.ts';
