import { type AccessFieldSamples, narrowed } from './field.ts';

/** Callers by a selector, instead of one by name. */
export const sourceSelector: AccessFieldSamples<'sourceSelector'> = {
  probes: {
    'access.sources.namespaces': narrowed({ sourceSelector: [{ kubeIdentityMatcher: { namespaces: ['shop'] } }] }),
    'access.sources.trustDomains': narrowed({ sourceSelector: [{ kubeIdentityMatcher: {} }] }),
  },
};
