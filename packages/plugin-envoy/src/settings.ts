/** What an installation may say of its Envoys, in a host's configuration. */
import { DNS_LABEL, nameSettings, type StandardSchema } from '@meshrelay/relay-core';

/** Settings of the plugin. The same ones belong into the configuration of all agents and servers. */
export interface EnvoySettings {
  /** The namespace of the agent: where its Envoys' configuration is kept, and what the Mesh is named after. */
  readonly namespace: string;
  /** The name of the agent's Deployment. */
  readonly agent: string;
  /** Of the certificates that agents give their Envoys. */
  readonly trustDomain: string;
}

/** Refuses what it does not know. */
export const settingsSchema: StandardSchema<EnvoySettings> = nameSettings({
  namespace: { initial: 'meshrelay', form: DNS_LABEL, what: 'the name of a namespace' },
  agent: {
    initial: 'meshrelay-agent',
    form: /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/,
    what: 'the name of a Deployment',
  },
  trustDomain: {
    initial: 'cluster.local',
    form: /^[a-z0-9]([-._a-z0-9]{0,253}[a-z0-9])?$/,
    what: 'a trust domain, such as cluster.local',
  },
});
