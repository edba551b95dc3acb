/** Settings of the agents in an installation, part of a host's configuration. */
import { DNS_LABEL, nameSettings, type StandardSchema } from '@meshrelay/plugin';

/** Settings of the plugin. All agents and servers must have the same ones. */
export interface IstioSettings {
  /** The namespace of the agent of each cluster. */
  readonly namespace: string;
  /** The name of the agent's Service, to which proxies send their access logs. */
  readonly agent: string;
}

/** Rejects unknown fields. */
export const settingsSchema: StandardSchema<IstioSettings> = nameSettings({
  namespace: { initial: 'meshrelay', form: DNS_LABEL, what: 'the name of a namespace' },
  agent: { initial: 'meshrelay-agent', form: DNS_LABEL, what: 'the name of a Service' },
});
