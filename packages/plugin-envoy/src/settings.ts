/** Settings of the Envoys in an installation, part of a host's configuration. */
import { DNS_LABEL, nameSettings, type StandardSchema } from '@meshrelay/plugin';

/** Settings of the plugin. All agents and servers must have the same ones. */
export interface EnvoySettings {
  /** The namespace of the agent: it holds the configuration of its Envoys, and names the Mesh. */
  readonly namespace: string;
  /** The name of the agent's Deployment. */
  readonly agent: string;
  /** Of the certificates that agents issue to their Envoys. */
  readonly trustDomain: string;
}

/** Rejects unknown fields. */
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
