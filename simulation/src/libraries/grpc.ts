/** Takes the place of grpc-js where the relay uses it: calls travel as bytes over the simulated network. */
// What has no part in transport is its own.
export * from '@grpc/grpc-js';
export { Client, credentials } from './grpc/client.ts';
export { Server } from './grpc/server.ts';
