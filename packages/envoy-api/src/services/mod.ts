/** The services that Envoys call, for grpc-js. */
export { type GeneratedService, type ServiceMethods, serviceDefinition } from './service-definition.ts';
export { accessLogService, aggregatedDiscoveryService, metricsService } from './services.ts';
