/** What an installation may say of its agents, in a host's configuration. */
import type { StandardSchema } from '@meshrelay/relay-core';

/** Settings of the plugin. The same ones belong into the configuration of all agents and servers. */
export interface IstioSettings {
  /** The namespace of the agent of each cluster. */
  readonly namespace: string;
  /** The name of the agent's Service, to which proxies send their access logs. */
  readonly agent: string;
}

const DEFAULTS: IstioSettings = { namespace: 'meshrelay', agent: 'meshrelay-agent' };

const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

interface Issue {
  readonly message: string;
  readonly path: readonly string[];
}

/** Refuses what it does not know. */
export const settingsSchema: StandardSchema<IstioSettings> = {
  '~standard': {
    version: 1,
    vendor: 'meshrelay',
    validate(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return { issues: [{ message: 'expected an object', path: [] }] };
      const issues = Object.entries(value).flatMap(([name, given]): Issue[] => {
        if (!Object.hasOwn(DEFAULTS, name))
          return [{ message: `is not known; there are ${Object.keys(DEFAULTS).join(', ')}`, path: [name] }];
        return typeof given === 'string' && NAME.test(given)
          ? []
          : [{ message: `expected the name of ${name === 'agent' ? 'a Service' : 'a namespace'}`, path: [name] }];
      });
      return issues.length > 0 ? { issues } : { value: { ...DEFAULTS, ...value } };
    },
  },
};
