/** The routes of a Service for the proxies of one mesh. */
export { type RouteProblem, type RouteTargetContext, requiredSubsets } from './route-targets.ts';
export { type Routes, routesFor } from './routes.ts';
