/** Istio has no API for protection against cross-site request forgery. */
import type { RouteField } from './field.ts';

export const csrf: RouteField<'csrf'> = {
  capabilities: { 'route.csrf': { unsupported: 'Istio has no API for it, and EnvoyFilters break with Envoy' } },
};
