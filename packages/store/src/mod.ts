/** Snapshot stores of the management server. */
export {};
