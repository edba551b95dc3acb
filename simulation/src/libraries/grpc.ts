/** Replaces grpc-js for the relay: calls are sent as bytes over the simulated network. */
// Everything that is not transport stays grpc-js's own.
export * from '@grpc/grpc-js';
export { Client, credentials } from './grpc/client.ts';
export { Server } from './grpc/server.ts';
