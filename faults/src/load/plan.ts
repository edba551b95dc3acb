/** How many agents, servers and changes the load has. */

export interface LoadPlan {
  readonly agents: number;
  readonly servers: number;
  /** Processes that host the agents. */
  readonly hosts: number;
  /** Objects per agent. */
  readonly objects: number;
  /** Changes over all agents. */
  readonly perSecond: number;
  readonly seconds: number;
  /** Milliseconds within which each step must complete. */
  readonly timeoutMs: number;
}

/** The promised load. */
export const WHOLE_LOAD: LoadPlan = {
  agents: 200,
  servers: 3,
  hosts: 4,
  objects: 1_000,
  perSecond: 1_000,
  seconds: 60,
  timeoutMs: 600_000,
};

/** A tenth of the agents with a fifth of the objects: as much as CI has time for. */
export const SMALL_LOAD: LoadPlan = {
  ...WHOLE_LOAD,
  agents: 20,
  hosts: 2,
  objects: 200,
  perSecond: 200,
  seconds: 10,
  timeoutMs: 180_000,
};
