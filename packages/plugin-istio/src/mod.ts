/** Istio for Meshrelay: discovery and translation. */
export {};
