/** Secrets as a resource. */
import type { ResourceKind } from '@meshrelay/relay-core';

export const SECRET: ResourceKind = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
