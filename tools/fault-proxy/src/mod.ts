/** A TCP proxy between two programs of a test. It delays, limits, drops or resets their connections on demand. */
export type { DirectionFaults } from './direction.ts';
export { BLACKHOLE, type ConnectionFaults, FaultProxy, type Upstream } from './fault-proxy.ts';
