/** The built-in controllers. */
export type { Controller, OnFault } from './controller.ts';
export type { NodeOptions } from './nodes.ts';
export type { OsmOptions } from './osm-injection.ts';
export type { PodMutator } from './pod-template.ts';
export type { IstioOptions } from './sidecar-injection.ts';
export { type ControllerOptions, startControllers } from './start-controllers.ts';
