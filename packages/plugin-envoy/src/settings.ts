/** What an installation may say of its Envoys, in a host's configuration. */
import type { StandardSchema } from '@meshrelay/relay-core';

/** Settings of the plugin. The same ones belong into the configuration of all agents and servers. */
export interface EnvoySettings {
  /** The namespace of the agent: where its Envoys' configuration is kept, and what the Mesh is named after. */
  readonly namespace: string;
  /** The name of the agent's Deployment. */
  readonly agent: string;
  /** Of the certificates that agents give their Envoys. */
  readonly trustDomain: string;
}

const DEFAULTS: EnvoySettings = {
  namespace: 'meshrelay',
  agent: 'meshrelay-agent',
  trustDomain: 'cluster.local',
};

/** What each setting must look like, and how that is called. */
const FORMS: Readonly<Record<keyof EnvoySettings, readonly [form: RegExp, name: string]>> = {
  namespace: [/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'the name of a namespace'],
  agent: [/^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/, 'the name of a Deployment'],
  trustDomain: [/^[a-z0-9]([-._a-z0-9]{0,253}[a-z0-9])?$/, 'a trust domain, such as cluster.local'],
};

interface Issue {
  readonly message: string;
  readonly path: readonly string[];
}

/** Refuses what it does not know. */
export const settingsSchema: StandardSchema<EnvoySettings> = {
  '~standard': {
    version: 1,
    vendor: 'meshrelay',
    validate(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return { issues: [{ message: 'expected an object', path: [] }] };
      const issues = Object.entries(value).flatMap(([name, given]): Issue[] => {
        if (!Object.hasOwn(FORMS, name))
          return [{ message: `is not known; there are ${Object.keys(FORMS).join(', ')}`, path: [name] }];
        const [form, what] = FORMS[name as keyof EnvoySettings];
        return typeof given === 'string' && form.test(given) ? [] : [{ message: `expected ${what}`, path: [name] }];
      });
      return issues.length > 0 ? { issues } : { value: { ...DEFAULTS, ...value } };
    },
  },
};
