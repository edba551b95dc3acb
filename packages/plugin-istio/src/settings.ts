/** What an installation may say of its agents, in a host's configuration. */
import { DNS_LABEL, nameSettings, type StandardSchema } from '@meshrelay/relay-core';

/** Settings of the plugin. The same ones belong into the configuration of all agents and servers. */
export interface IstioSettings {
  /** The namespace of the agent of each cluster. */
  readonly namespace: string;
  /** The name of the agent's Service, to which proxies send their access logs. */
  readonly agent: string;
}

/** Refuses what it does not know. */
export const settingsSchema: StandardSchema<IstioSettings> = nameSettings({
  namespace: { initial: 'meshrelay', form: DNS_LABEL, what: 'the name of a namespace' },
  agent: { initial: 'meshrelay-agent', form: DNS_LABEL, what: 'the name of a Service' },
});
