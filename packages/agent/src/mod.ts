/** The Meshrelay agent: one per workload cluster. */
export {};
